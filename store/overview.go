package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// Counts is what every page of a book tells: where the journal ends and what waits. Requests of the actor itself are in Mine,
// those that another person has to decide in Others.
type Counts struct {
	Head       int64
	Others     int
	Mine       int
	Decided    int
	OpenBreaks int
}

// Counts counts what the actor's book has, in one query.
func (s *Store) Counts(ctx context.Context, actor Actor) (Counts, error) {
	if err := actor.need(RightRead); err != nil {
		return Counts{}, err
	}
	counts, err := queryOne[Counts](s.db.WithContext(ctx), "the book has no head", `
		SELECT h.seq AS head,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND a.pending AND a.requester_id <> @user) AS others,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND a.pending AND a.requester_id = @user) AS mine,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND NOT a.pending) AS decided,
		       (SELECT count(*) FROM breaks b WHERE b.book_id = h.book_id AND b.live AND b.status <> 'resolved') AS open_breaks
		  FROM heads h WHERE h.book_id = @book`, map[string]any{"book": actor.Book.ID, "user": actor.UserID})
	if err != nil {
		return Counts{}, fmt.Errorf("count what waits: %w", err)
	}
	return counts, nil
}

// AccountsByCode gives those of the accounts that the actor's book has, by code.
func (s *Store) AccountsByCode(ctx context.Context, actor Actor, codes []string) (map[string]ledger.Account, error) {
	if err := actor.need(RightRead); err != nil {
		return nil, err
	}
	rows, err := query[accountRow](s.db.WithContext(ctx), `SELECT `+accountColumns+` FROM accounts a WHERE a.book_id = ? AND a.code = ANY(?::text[])`,
		actor.Book.ID, array[string](codes))
	if err != nil {
		return nil, fmt.Errorf("look up accounts: %w", err)
	}
	accounts := make(map[string]ledger.Account, len(rows))
	for _, row := range rows {
		accounts[row.Code] = row.account()
	}
	return accounts, nil
}

// Currencies lists those in which the actor's book has postings.
func (s *Store) Currencies(ctx context.Context, actor Actor) ([]string, error) {
	if err := actor.need(RightRead); err != nil {
		return nil, err
	}
	return query[string](s.db.WithContext(ctx), `SELECT currency FROM currency_totals WHERE book_id = ? ORDER BY currency`, actor.Book.ID)
}

// Deciders names people other than the actor who may decide requests in its book, by name, at most limit.
func (s *Store) Deciders(ctx context.Context, actor Actor, limit int) ([]string, error) {
	if err := actor.need(RightRead); err != nil {
		return nil, err
	}
	var roles array[string]
	for _, role := range Roles {
		if slices.Contains(rightsOf[role], RightDecide) {
			roles = append(roles, string(role))
		}
	}
	return query[string](s.db.WithContext(ctx), `
		SELECT u.name FROM users u
		 WHERE u.id <> ? AND u.disabled_at IS NULL
		   AND EXISTS (SELECT FROM user_roles r WHERE r.book_id = ? AND r.user_id = u.id AND r.role = ANY(?::text[]))
		 ORDER BY u.name, u.id LIMIT ?`, actor.UserID, actor.Book.ID, roles, limit)
}

// PendingReversals gives, of these entries, those whose reversal waits for approval, with the id of the request.
func (s *Store) PendingReversals(ctx context.Context, actor Actor, seqs []int64) (map[int64]int64, error) {
	if err := actor.need(RightRead); err != nil {
		return nil, err
	}
	rows, err := query[struct{ SubjectSeq, ID int64 }](s.db.WithContext(ctx), `
		SELECT subject_seq, id FROM approvals WHERE book_id = ? AND pending AND subject_seq = ANY(?::bigint[])`, actor.Book.ID, array[int64](seqs))
	if err != nil {
		return nil, fmt.Errorf("look for reversals that wait: %w", err)
	}
	pending := make(map[int64]int64, len(rows))
	for _, row := range rows {
		pending[row.SubjectSeq] = row.ID
	}
	return pending, nil
}

// ReversalNames gives the tx ids that a reversal of an entry and its replacement would get now; a request reserves them.
func (s *Store) ReversalNames(ctx context.Context, actor Actor, txID string) (reversal, replacement string, err error) {
	if err := actor.need(RightRead); err != nil {
		return "", "", err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		if reversal, err = freeTxID(tx, actor.Book, txID+"-rev"); err != nil {
			return err
		}
		replacement, err = freeTxID(tx, actor.Book, txID+"-fix")
		return err
	})
	return reversal, replacement, err
}

// BreakNote is a break as the page of another record names it.
type BreakNote struct {
	ID   int64
	Type recon.BreakType
	Why  string
}

// OpenBreaksOf lists the breaks, not resolved yet, that hold a posting of an entry.
func (s *Store) OpenBreaksOf(ctx context.Context, actor Actor, seq int64) ([]BreakNote, error) {
	if err := actor.need(RightRead); err != nil {
		return nil, err
	}
	return query[BreakNote](s.db.WithContext(ctx), `
		SELECT DISTINCT b.id, b.type, b.why FROM breaks b JOIN break_postings p ON p.book_id = b.book_id AND p.break_id = b.id
		 WHERE b.book_id = ? AND p.seq = ? AND p.live AND b.live AND b.status <> 'resolved' ORDER BY b.id LIMIT 100`, actor.Book.ID, seq)
}
