package broker

import (
	"errors"
	"log/slog"
	"sync"

	"daybook/store/ledger"
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
	if same := sameness(err); t.told[about] != same {
		t.told[about] = same
		t.log.Warn(what, "error", err)
	}
}

// sameness is what two errors of one trouble have in common: a database that is away is so in many words.
func sameness(err error) string {
	var refusal *ledger.Error
	if errors.As(err, &refusal) {
		return string(refusal.Kind) + refusal.Message
	}
	return err.Error()
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
