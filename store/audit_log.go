package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Outcome is how an attempt ended.
type Outcome string

// The outcomes. What was refused broke a rule; what failed broke by itself.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused"
	Failed  Outcome = "failed"
)

// AuditFilter narrows the audit log; zero fields do not. Before and After are ids of records that bound the page, exclusive; with
// After the page is the one just newer than that record.
type AuditFilter struct {
	Actor         string // in the name or the e-mail address of who acted
	Action        string // exactly
	Outcome       Outcome
	From, To      ledger.Date // days in UTC
	Text          string      // words, each in the object, the details, the request id or the network address
	Before, After string
	Limit         int
}

// AuditRecord is one attempt of someone to do something. Name is that of the user, "" for one who has no login; ObjectName is that of
// a user who is the object. Reconciliation is that of a statement that is the object.
type AuditRecord struct {
	ID             string
	At             time.Time
	Name           string
	Email          string
	Action         string
	Object         string
	ObjectName     string
	Reconciliation int64
	Outcome        Outcome
	Detail         map[string]any
	Request        string
	Address        string
}

// AuditPage is a page of the audit log, newest first, with how much the filter finds in all; More reports whether others follow
// on the page's far side.
type AuditPage struct {
	Records []AuditRecord
	More    bool
	AuditTotals
}

// AuditTotals counts the records of a filter.
type AuditTotals struct{ Total, Refused, Failed int64 }

// AuditLog gives a page of what was done and tried in the actor's book, and of what its people did without a book, such as signing
// in. Errors: KindForbidden, KindNotFound for a record that bounds the page.
func (s *Store) AuditLog(ctx context.Context, actor Actor, f AuditFilter) (page AuditPage, err error) {
	if err := actor.Need(RightAudit); err != nil {
		return AuditPage{}, err
	}
	f.Limit = pageSize(f.Limit)
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if page.AuditTotals, err = countAudit(tx, actor.Book, f); err != nil {
			return fmt.Errorf("count the audit log: %w", err)
		}
		page.Records, page.More, err = listAudit(tx, actor.Book, f)
		if err != nil {
			return fmt.Errorf("read the audit log: %w", err)
		}
		return nil
	})
	return page, err
}

// ofBook and ofItsPeople choose the records that an auditor of a book may see. Those without a book tell of a person by e-mail
// address in their object, also where nobody was signed in.
const (
	ofBook      = `a.book_id = @book`
	ofItsPeople = `a.book_id IS NULL AND a.object IN (SELECT 'user ' || m.email FROM users m
		WHERE EXISTS (SELECT FROM user_roles r WHERE r.book_id = @book AND r.user_id = m.id))`
)

func countAudit(tx *gorm.DB, book Book, f AuditFilter) (AuditTotals, error) {
	where, args := f.where(book)
	return queryOne[AuditTotals](tx, "no count", `
		SELECT count(*) AS total, count(*) FILTER (WHERE a.outcome = 'refused') AS refused, count(*) FILTER (WHERE a.outcome = 'failed') AS failed
		  FROM audit_log a LEFT JOIN users u ON u.id = a.user_id
		 WHERE (`+ofBook+` OR `+ofItsPeople+`) AND `+where, args)
}

// listAudit takes the page from both kinds of record by their own index, and then the newest of both.
func listAudit(tx *gorm.DB, book Book, f AuditFilter) (records []AuditRecord, more bool, err error) {
	where, args := f.where(book)
	order := "DESC"
	if f.Before != "" || f.After != "" {
		bound, err := queryOne[struct{ At time.Time }](tx, "the audit log has no such record", `SELECT a.at FROM audit_log a WHERE a.id = CAST(? AS uuid)`, f.Before+f.After)
		if err != nil {
			return nil, false, err
		}
		args["at"], args["id"] = bound.At, f.Before+f.After
		if where += ` AND (a.at, a.id) < (@at, CAST(@id AS uuid))`; f.After != "" {
			where, order = strings.Replace(where, "(a.at, a.id) <", "(a.at, a.id) >", 1), "ASC"
		}
	}
	args["limit"] = f.Limit + 1
	part := func(of string) string {
		return `(SELECT a.id, a.at, u.name, a.email, a.action, a.object, a.outcome, a.detail::text AS detail, a.request_id AS request, a.address
		           FROM audit_log a LEFT JOIN users u ON u.id = a.user_id
		          WHERE ` + of + ` AND ` + where + ` ORDER BY a.at ` + order + `, a.id ` + order + ` LIMIT @limit)`
	}
	rows, err := query[auditRow](tx, `
		SELECT l.id, l.at, l.name, l.email, l.action, l.object, l.outcome, l.detail, l.request, l.address, o.name AS object_name,
		       (SELECT min(r.id) FROM reconciliations r WHERE r.book_id = @book AND l.object = 'statement ' || r.statement_id) AS reconciliation
		  FROM (`+part(ofBook)+` UNION ALL `+part(ofItsPeople)+`) l LEFT JOIN users o ON l.object = 'user ' || o.id
		 ORDER BY l.at `+order+`, l.id `+order+` LIMIT @limit`, args)
	if err != nil {
		return nil, false, err
	}
	if more = len(rows) > f.Limit; more {
		rows = rows[:f.Limit]
	}
	if f.After != "" {
		slices.Reverse(rows)
	}
	records, err = recordsOf(rows)
	return records, more, err
}

func (f AuditFilter) where(book Book) (string, map[string]any) {
	parts, args := []string{"true"}, map[string]any{"book": book.ID}
	add := func(name string, value any, condition string) {
		parts, args[name] = append(parts, condition), value
	}
	if f.Actor != "" {
		add("actor", containing(f.Actor), "(a.email ILIKE @actor OR u.name ILIKE @actor)")
	}
	if f.Action != "" {
		add("action", f.Action, "a.action = @action")
	}
	if f.Outcome != "" {
		add("outcome", f.Outcome, "a.outcome = @outcome")
	}
	if !f.From.IsZero() {
		add("from", f.From.Time(), "a.at >= @from")
	}
	if !f.To.IsZero() {
		add("to", f.To.AddDays(1).Time(), "a.at < @to")
	}
	for i, word := range strings.Fields(f.Text) {
		name := fmt.Sprintf("word%d", i)
		add(name, containing(word), strings.ReplaceAll("(a.object ILIKE @w OR a.detail::text ILIKE @w OR a.request_id ILIKE @w OR a.address ILIKE @w)", "@w", "@"+name))
	}
	return strings.Join(parts, " AND "), args
}

type auditRow struct {
	ID, Name, Email, Action, Object, ObjectName string
	Outcome                                     Outcome
	At                                          time.Time
	Reconciliation                              int64
	Detail, Request, Address                    string
}

func recordsOf(rows []auditRow) ([]AuditRecord, error) {
	records := make([]AuditRecord, len(rows))
	for i, r := range rows {
		records[i] = AuditRecord{
			ID: r.ID, At: r.At.UTC(), Name: r.Name, Email: r.Email, Action: r.Action, Object: r.Object, ObjectName: r.ObjectName,
			Reconciliation: r.Reconciliation, Outcome: r.Outcome, Request: r.Request, Address: r.Address,
		}
		if err := json.Unmarshal([]byte(r.Detail), &records[i].Detail); err != nil {
			return nil, fmt.Errorf("read the details of record %s: %w", r.ID, err)
		}
	}
	return records, nil
}
