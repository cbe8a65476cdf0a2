package story_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// nameIn is the source of what comes in a way: the gateway's own name is the webhook's.
func nameIn(way string) string {
	if way == "webhook" {
		return "simulator"
	}
	return "shop"
}

// ofEach is how many letters come in each way, and how many in all of them.
const ofEach = 4

// TestEachMessageIsAppliedOnceWhateverWayItComes delivers every message three times in its way, and some in every way but that of the gateway, all
// at the same time.
func TestEachMessageIsAppliedOnceWhateverWayItComes(t *testing.T) {
	t.Parallel()
	b := openPostbox(t)
	senders := map[string]func(*testing.T, letter) string{
		"api":         func(t *testing.T, l letter) string { return told(b.byAPI(t, l.String())) },
		"cloudevents": func(t *testing.T, l letter) string { return told(b.byEvent(t, l.event())) },
		"webhook":     func(t *testing.T, l letter) string { return told(b.byWebhook(t, l.String())) },
	}
	results := tally{}
	var group sync.WaitGroup
	for way, send := range senders {
		for i := range ofEach {
			for range 3 {
				group.Go(func() { results.add(way, send(t, deposited(nameIn(way), fmt.Sprint(way, i)))) })
				if way != "webhook" {
					group.Go(func() { results.add("every way", send(t, deposited("shop", fmt.Sprint("shared", i)))) })
				}
			}
		}
	}
	var lines []string
	for i := range ofEach {
		own, file, shared := deposited("shop", fmt.Sprint("broker", i)), deposited("shop", fmt.Sprint("file", i)), deposited("shop", fmt.Sprint("shared", i))
		for range 3 {
			b.byBroker(t, own.String())
			b.byBroker(t, shared.String())
			lines = append(lines, file.String(), shared.String())
		}
	}
	replayed := b.byFile(t, lines...)
	group.Wait()
	b.takesAll(t)

	for way := range senders {
		if got := results.of(way); got != fmt.Sprintf("applied %d, duplicate %d", ofEach, 2*ofEach) {
			t.Errorf("by %s: %s", way, got)
		}
	}
	if replayed.code != 0 || !strings.HasPrefix(replayed.stdout, fmt.Sprintf("delivered=%d ", 6*ofEach)) || !strings.HasSuffix(replayed.stdout, " failed=0\n") {
		t.Errorf("replay: exit %d, %s%s", replayed.code, replayed.stdout, replayed.stderr)
	}
	for i := range ofEach {
		for _, way := range []string{"api", "cloudevents", "webhook", "broker", "file"} {
			b.isAppliedOnce(t, nameIn(way), fmt.Sprint(way, i), 3)
		}
		b.isAppliedOnce(t, "shop", fmt.Sprint("shared", i), 12)
	}
	if entries := b.as("viewer").get(t, "/entries?limit=1000").want(t, 200).list(t, "items"); len(entries) != 6*ofEach {
		t.Errorf("%d entries for %d messages", len(entries), 6*ofEach)
	}
	b.verifies(t)
}

// isAppliedOnce holds a message against how often it was delivered.
func (b postbox) isAppliedOnce(t *testing.T, source, id string, deliveries int) {
	t.Helper()
	m := b.kept(t, source, id)
	if m == nil || m.text("state", "deliveries") != fmt.Sprint("applied ", deliveries) {
		t.Errorf("message %s, delivered %d times, is %v", id, deliveries, m)
		return
	}
	results := tally{}
	for _, e := range m.list(t, "events") {
		results.add("", e.text("result"))
	}
	want := "applied 1"
	if deliveries > 1 {
		want += fmt.Sprint(", duplicate ", deliveries-1)
	}
	if got := results.of(""); got != want {
		t.Errorf("message %s came to %s, want %s", id, got, want)
	}
	entry := b.as("viewer").get(t, "/entries/"+m.text("seq")).want(t, 200)
	if entry["tx_id"] != source+" "+id {
		t.Errorf("message %s posted %v", id, entry)
	}
}

func told(a answer, err error) string {
	if err != nil {
		return err.Error()
	}
	return resultOf(a)
}

// tally counts results of some things.
type tally struct {
	mu     sync.Mutex
	counts map[string]map[string]int
}

func (c *tally) add(of, result string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]map[string]int{}
	}
	if c.counts[of] == nil {
		c.counts[of] = map[string]int{}
	}
	c.counts[of][result]++
}

// of gives the counts of one thing, in the order of their names.
func (c *tally) of(of string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var parts []string
	for result, n := range c.counts[of] {
		parts = append(parts, fmt.Sprint(result, " ", n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
