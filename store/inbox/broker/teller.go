package broker

import (
	"log/slog"
	"sync"
)

// teller logs each trouble once, and again only when it is another or was over.
type teller struct {
	log  *slog.Logger
	mu   sync.Mutex
	told map[string]string
}

func (t *teller) trouble(about, what string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := err.Error(); t.told[about] != text {
		t.told[about] = text
		t.log.Warn(what, "error", err)
	}
}

// well says that what there was trouble about works.
func (t *teller) well(about string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, told := t.told[about]; told {
		delete(t.told, about)
		t.log.Info("it works again", "what", about)
	}
}
