package store

import (
	"sync"
	"time"

	"daybook/store/ledger"
)

// settledBytes bounds what is remembered of settled posts, in bytes: two such generations at most.
const settledBytes = 8 << 20

// settledPost is what a key has settled to. It does not change while the key lives.
type settledPost struct {
	record  ledger.Record
	content ledger.Hash
	expires time.Time
}

// settledPosts remembers the posts of late, so that retries that come soon, as most do, cost the database nothing but a count.
// It is safe for concurrent use.
type settledPosts struct {
	mu           sync.Mutex
	newer, older map[string]settledPost
	newerBytes   int
	replays      map[string]int64
}

// outcome answers a retry of what is remembered. What has other content is for the writer to judge.
func (s *settledPosts) outcome(command ledger.Command, now time.Time) (ledger.Outcome, bool) {
	if command.Key == "" {
		return ledger.Outcome{}, false
	}
	s.mu.Lock()
	post, found := s.newer[command.Key]
	if !found {
		post, found = s.older[command.Key]
	}
	s.mu.Unlock()
	if !found || !now.Before(post.expires) || post.content != command.Entry.Fingerprint() {
		return ledger.Outcome{}, false
	}
	return ledger.Outcome{Record: post.record, Duplicate: true, Attempts: 1}, true
}

// add remembers what a batch has posted.
func (s *settledPosts) add(batch ledger.Batch, keptDays int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range batch.Records {
		key, ok := batch.Keys[r.Seq]
		if !ok {
			continue
		}
		if s.newer == nil || s.newerBytes >= settledBytes {
			s.newer, s.older, s.newerBytes = map[string]settledPost{}, s.newer, 0
		}
		s.newer[key] = settledPost{record: r, content: r.Fingerprint(), expires: r.RecordedAt.AddDate(0, 0, keptDays)}
		s.newerBytes += len(key) + bytesOf(r)
	}
}

// bytesOf is about what a record takes in memory.
func bytesOf(r ledger.Record) int {
	const record, posting, member = 400, 48, 48
	bytes := record + len(r.TxID) + len(r.Description) + len(r.Reason)
	for _, p := range r.Postings {
		bytes += posting + len(p.Account) + len(p.Currency)
	}
	for name, value := range r.Metadata {
		bytes += member + len(name) + len(value)
	}
	return bytes
}

func (s *settledPosts) countReplay(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.replays == nil {
		s.replays = map[string]int64{}
	}
	s.replays[key]++
}

func (s *settledPosts) hasReplays() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.replays) > 0
}

// takeReplays gives the retries that were counted since it was last asked.
func (s *settledPosts) takeReplays() map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.replays
	s.replays = nil
	return taken
}
