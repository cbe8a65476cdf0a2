package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// SetReconcileFrom says from which day on the postings of an account must be on a statement, and matches the account's newest reconciliation
// again by it where that is open: what is of before ends to be a break, and what is not any more may become one. The zero day lets the first
// statement decide, where there is none yet. Errors: KindForbidden, KindUnknownAccount, KindInvalid, KindKeyReused, and KindIllegalTransition
// where a reconciliation that is submitted or signed off has judged a posting otherwise.
func (s *Store) SetReconcileFrom(ctx context.Context, actor Actor, key, code string, day ledger.Date) (ledger.Account, error) {
	content := map[string]any{"account": code, "reconcile_from": day}
	return s.changeAccount(ctx, actor, key, "account.reconcile-from", code, content, func(tx *gorm.DB, account ledger.Account) error {
		former := account.ReconcileFrom
		account.ReconcileFrom = day
		if err := account.Check(); err != nil || day == former {
			return err
		}
		newest, err := queryReconciliations(tx, actor.Book, `r.account_id = ? AND n.id = r.id`, account.ID)
		if err != nil {
			return err
		}
		if day.IsZero() && len(newest) > 0 {
			return ledger.Refuse(ledger.KindInvalid, "account %s has statements", code).At("reconcile_from", "is missing: the account has statements, so it needs a day")
		}
		if err := notJudged(tx, actor.Book, account, former, day); err != nil {
			return err
		}
		if err := s.setAccount(tx, actor, account, "account.reconcile-from", "reconcile_from", day, map[string]any{"before": former.String(), "after": day.String()}); err != nil {
			return err
		}
		if len(newest) == 0 || newest[0].Status != ReconciliationOpen {
			return rebalance(tx, actor.Book, account.ID)
		}
		return s.matchAgain(tx, actor, account, newest[0])
	})
}

// notJudged refuses a day that contradicts what is submitted or signed off: a posting without a match, of between the two days, is a break
// by the one and none by the other.
func notJudged(tx *gorm.DB, book Book, account ledger.Account, former, day ledger.Date) error {
	if former.IsZero() || day.IsZero() {
		return nil
	}
	first, end := former, day
	if day.Before(former) {
		first, end = day, former
	}
	judged, err := query[struct {
		ID, Seq     int64
		Status      string
		EffectiveOn ledger.Date
	}](tx, `
		SELECT r.id, r.status, o.seq, e.effective_on
		  FROM reconciliations r
		  JOIN postings o ON o.book_id = r.book_id AND o.account_id = r.account_id AND `+countsSQL+`
		  JOIN entries e ON e.book_id = o.book_id AND e.seq = o.seq AND e.effective_on >= ? AND e.effective_on < ? AND e.effective_on <= r.scope_to
		 WHERE r.book_id = ? AND r.account_id = ? AND r.status IN (?, ?)
		   AND NOT EXISTS (SELECT FROM match_postings m WHERE m.book_id = o.book_id AND m.seq = o.seq AND m.line = o.line AND m.live)
		 ORDER BY r.scope_to, r.id, o.seq LIMIT 1`, first, end, book.ID, account.ID, ReconciliationSubmitted, ReconciliationSignedOff)
	if err != nil {
		return fmt.Errorf("look for what is signed off of account %s: %w", account.Code, err)
	}
	if len(judged) == 0 {
		return nil
	}
	found := judged[0]
	state := map[string]string{ReconciliationSubmitted: "submitted", ReconciliationSignedOff: "signed off"}[found.Status]
	return ledger.Refuse(ledger.KindIllegalTransition, "reconciliation %d is %s, and entry %d of %s would count otherwise in it: reopen or return it first, or take a day that leaves it as it is",
		found.ID, state, found.Seq, found.EffectiveOn).At("reconcile_from", "contradicts reconciliation %d, which is %s", found.ID, state).
		With("reconciliation_id", found.ID).With("seq", found.Seq)
}
