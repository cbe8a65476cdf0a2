package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// PostingRef names a posting: a line of an entry.
type PostingRef struct {
	Seq  int64 `json:"seq"`
	Line int   `json:"line"`
}

// RowRef names a row of a statement; StatementID 0 is the statement of the reconciliation in which it is named.
type RowRef struct {
	StatementID int64 `json:"statement_id,omitempty"`
	Row         int   `json:"row"`
}

// MatchItems are postings and lines that a person names.
type MatchItems struct {
	Postings []PostingRef `json:"postings"`
	Rows     []RowRef     `json:"rows"`
}

func (m MatchItems) count() int { return len(m.Postings) + len(m.Rows) }

// MatchByHand matches postings and lines whose two sides add up to the same, in the currency of the account; those of one side alone must
// cancel. What they were a break of is matched with them; what is left of a break stays one. Errors: KindForbidden, KindNotFound,
// KindInvalid with what is wrong with each or by how much the sides differ, KindIllegalTransition where one of them is matched already, waits
// for an approval or was set aside, or the reconciliation is not open, KindKeyReused.
func (s *Store) MatchByHand(ctx context.Context, actor Actor, key string, reconciliationID int64, items MatchItems, note string) (match Match, duplicate bool, err error) {
	if err := actor.Need(RightResolve); err != nil {
		return Match{}, false, err
	}
	if err := ledger.CheckText("note", note, false); err != nil {
		return Match{}, false, err
	}
	content := map[string]any{"reconciliation_id": reconciliationID, "postings": items.Postings, "rows": items.Rows, "note": note}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		match, duplicate, err = once(s, tx, actor, key, "match", content, func() (Match, error) {
			w, err := s.beginHandwork(tx, actor, reconciliationID)
			if err != nil {
				return Match{}, err
			}
			set, err := w.find(items)
			if err != nil {
				return Match{}, err
			}
			id, err := w.match(set, byHand(note), settlement{Resolution: recon.MatchedByHand, Note: note})
			if err != nil {
				return Match{}, err
			}
			return loadMatch(tx, actor.Book, id)
		})
		return err
	})
	return match, duplicate, err
}

// handwork is what a person does to the matches and breaks of an account, in a transaction that holds the account: matchings and other
// people's work come before or after it.
type handwork struct {
	store   *Store
	tx      *gorm.DB
	actor   Actor
	account ledger.Account
	home    reconciliationRow // in which it is done
	latest  recon.Period      // that the account's statements speak for, and
	rules   recon.Rules       // those of its latest matching; see findLatest
}

// beginHandwork holds the account of a reconciliation. Error: KindNotFound.
func (s *Store) beginHandwork(tx *gorm.DB, actor Actor, reconciliationID int64) (*handwork, error) {
	code, err := queryOne[string](tx, fmt.Sprintf("book %s has no reconciliation %d", actor.Book.Code, reconciliationID), `
		SELECT a.code FROM reconciliations r JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id WHERE r.book_id = ? AND r.id = ?`,
		actor.Book.ID, reconciliationID)
	if err != nil {
		return nil, err
	}
	account, err := holdAccount(tx, actor.Book, code)
	if err != nil {
		return nil, err
	}
	rows, err := queryReconciliations(tx, actor.Book, `r.id = ?`, reconciliationID)
	if err != nil {
		return nil, err
	}
	return &handwork{store: s, tx: tx, actor: actor, account: account, home: rows[0]}, nil
}

// madeMatch says how a match came about.
type madeMatch struct {
	kind      recon.Kind
	rule, why string
	note      string
}

func byHand(note string) madeMatch {
	if note == "" {
		return madeMatch{kind: recon.KindManual, rule: "hand", why: "matched by hand"}
	}
	return madeMatch{kind: recon.KindManual, rule: "hand", why: note, note: note}
}

func byReversal(note string) madeMatch {
	return madeMatch{kind: recon.KindReversedPair, rule: "reversed", why: "an entry and its reversal cancel on this account", note: note}
}

// match makes a match of a set, if it may be one and the reconciliation is open, and settles the breaks that lose something to it. Errors:
// KindInvalid, KindAmountOverflow, KindIllegalTransition.
func (w *handwork) match(set handSet, made madeMatch, how settlement) (int64, error) {
	if err := needOpen(w.tx, w.actor.Book, w.home.ID); err != nil {
		return 0, err
	}
	if err := w.mayMatch(set, how); err != nil {
		return 0, err
	}
	id, err := w.insertMatch(set, made)
	if err != nil {
		return 0, fmt.Errorf("store a match by hand: %w", err)
	}
	how.MatchID = id
	if err := w.leaveBreaks(set, how); err != nil {
		return 0, err
	}
	free, _ := set.split(func(p handPosting) bool { return p.BreakID == 0 }, func(handLine) bool { return false })
	if err := w.assume(free.postings, -1); err != nil {
		return 0, err
	}
	if err := w.takeIn(set.postings); err != nil {
		return 0, err
	}
	return id, w.store.audit(w.tx, w.actor, "match.made", fmt.Sprintf("reconciliation %d", w.home.ID), map[string]any{"match_id": id, "kind": made.kind})
}

func (w *handwork) insertMatch(set handSet, made madeMatch) (int64, error) {
	id, err := nextNumber(w.tx, w.actor.Book.ID, "match", 1)
	if err != nil {
		return 0, err
	}
	first, last := set.days()
	lastDay, lastSeq := set.lastPosting()
	if _, err := exec(w.tx, `
		INSERT INTO matches (book_id, id, account_id, reconciliation_id, kind, rule, score, why, last_effective_on, last_seq, first_on, last_on, live, made_by, made_at)
		VALUES (?, ?, ?, ?, ?, ?, 100, ?, ?, ?, ?, ?, true, ?, ?)`,
		w.actor.Book.ID, id, w.account.ID, w.home.ID, made.kind, made.rule, made.why, lastDay, lastSeq, first, last, w.actor.UserID, w.store.now()); err != nil {
		return 0, err
	}
	if _, err := exec(w.tx, `INSERT INTO match_lines (book_id, match_id, line_id, live) SELECT ?, ?, u.id, true FROM unnest(?::bigint[]) AS u (id)`,
		w.actor.Book.ID, id, set.lineIDs()); err != nil {
		return 0, err
	}
	seqs, lines := set.postingRefs()
	if _, err := exec(w.tx, `INSERT INTO match_postings (book_id, match_id, seq, line, live) SELECT ?, ?, u.seq, u.line, true FROM unnest(?::bigint[], ?::integer[]) AS u (seq, line)`,
		w.actor.Book.ID, id, seqs, lines); err != nil {
		return 0, err
	}
	return id, w.addMatchEvent(id, "made", made.note)
}

func (w *handwork) addMatchEvent(id int64, event, note string) error {
	_, err := exec(w.tx, `
		INSERT INTO match_events (book_id, match_id, n, event, note, user_id, at)
		SELECT ?, ?, 1 + coalesce(max(n), 0), ?, ?, ?, ? FROM match_events WHERE book_id = ? AND match_id = ?`,
		w.actor.Book.ID, id, event, note, w.actor.UserID, w.store.now(), w.actor.Book.ID, id)
	if err != nil {
		return fmt.Errorf("note what was done with match %d: %w", id, err)
	}
	return nil
}

// takeIn counts postings that came after the matching in the balances of the open reconciliations whose days they are of: the ledger has
// them, and a person has seen them.
func (w *handwork) takeIn(postings []handPosting) error {
	return countPostings(w.tx, w.actor.Book, w.account.ID, postings)
}
