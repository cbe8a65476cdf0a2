package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"daybook/store/ledger"
)

// audit notes within the transaction that an actor did something.
func (s *Store) audit(tx *gorm.DB, actor Actor, action, object string, detail map[string]any) error {
	return s.writeAudit(tx, actor, action, object, "done", detail)
}

// RecordRefusal notes an attempt of an actor that was refused or failed, with the reason. It is a transaction of its own, since
// that of the attempt was rolled back. The actor may be nobody (a failed sign-in) and may have no book. A key that came again for
// something else is kept field by field as well: whatever door a request comes through, its refusal comes here. One that its use case has noted
// is not noted again.
func (s *Store) RecordRefusal(ctx context.Context, actor Actor, action, object string, cause error) error {
	if errors.Is(cause, errInAudit) {
		return nil
	}
	outcome, detail := "refused", map[string]any{"kind": ledger.KindOf(cause), "message": storable(cause.Error())}
	if ledger.KindOf(cause) == ledger.KindInternal {
		outcome = "failed"
	}
	return errors.Join(s.writeAudit(s.db.WithContext(ctx), actor, action, object, outcome, detail), s.recordClash(ctx, actor, cause))
}

func (s *Store) writeAudit(tx *gorm.DB, actor Actor, action, object, outcome string, detail map[string]any) error {
	if detail == nil {
		detail = map[string]any{}
	}
	text, err := json.Marshal(detail)
	if err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	_, err = exec(tx, `
		INSERT INTO audit_log (id, at, book_id, user_id, email, action, object, outcome, detail, request_id, address)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb), ?, ?)`,
		id.String(), s.now(), nullable(actor.Book.ID), nullable(actor.UserID), actor.Email, action, object, outcome, string(text), actor.Request, actor.Address)
	return err
}
