package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// What is kept of clashes is bounded, so that a client gone wild fills nothing. The audit log has each refusal all the same.
const (
	clashesPerKeyAndDay = 20
	clashesPerDay       = 1000
	clashFields         = 100
	clashValueBytes     = 500
)

// Clash is a request that was refused because its key had been used for something else. FirstAt is zero while the first request was
// still at work, FirstSeq 0 where it posted no entry.
type Clash struct {
	ID             int64
	Key            string
	At             time.Time
	By, ByName     string
	Operation      string
	Request        string
	Address        string
	FirstBy        string
	FirstAt        time.Time
	FirstOperation string
	FirstSeq       int64
	// Fields are those that differ before those that are the same; at most a hundred, cut to a length that can be read. They are left
	// out for who may not see what was asked.
	Fields  []ledger.ClashField
	Private bool
}

// ClashPage is a page of the clashes of a book, newest first; Total counts all.
type ClashPage struct {
	Clashes []Clash
	More    bool
	Total   int64
}

// Clashes gives a page of the clashes of the actor's book, newest first: those before an id, or just after one.
// Error: KindForbidden.
func (s *Store) Clashes(ctx context.Context, actor Actor, f ClashFilter) (page ClashPage, err error) {
	if err := actor.Need(RightRead); err != nil {
		return ClashPage{}, err
	}
	f.Limit = pageSize(f.Limit)
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		page.Clashes, page.More, err = listClashes(tx, actor, f)
		if err != nil {
			return fmt.Errorf("list clashes: %w", err)
		}
		page.Total, err = queryOne[int64](tx, "no count", `
			SELECT count(*) FROM key_clashes c JOIN users u ON u.id = c.sent_by WHERE c.book_id = @book AND `+ofClashFilter, f.args(actor.Book))
		return err
	})
	return page, err
}

// ClashFilter narrows the clashes; Text is within their key, Who within the name or the e-mail address of who sent it in vain. Before and After are ids that bound the page, exclusive.
type ClashFilter struct {
	Text, Who     string
	Before, After int64
	Limit         int
}

func (f ClashFilter) args(book Book) map[string]any {
	return map[string]any{"book": book.ID, "text": containing(f.Text), "who": containing(f.Who), "before": f.Before, "after": f.After, "limit": f.Limit + 1}
}

const ofClashFilter = `c.key ILIKE @text AND (u.email ILIKE @who OR u.name ILIKE @who)`

const selectClashes = `
	SELECT c.id, c.key, c.at, u.email AS by, u.name AS by_name, c.operation, c.request_id AS request, c.address, c.first_by, c.first_at,
	       c.first_operation, c.first_seq, c.fields::text AS fields
	  FROM key_clashes c JOIN users u ON u.id = c.sent_by`

func listClashes(tx *gorm.DB, actor Actor, f ClashFilter) (clashes []Clash, more bool, err error) {
	order := "DESC"
	if f.After != 0 {
		order = "ASC"
	}
	clashes, err = readClashes(tx, actor, `
		 WHERE c.book_id = @book AND `+ofClashFilter+` AND (@before = 0 OR c.id < @before) AND (@after = 0 OR c.id > @after)
		 ORDER BY c.id `+order+` LIMIT @limit`, f.args(actor.Book))
	if more = len(clashes) > f.Limit; more {
		clashes = clashes[:f.Limit]
	}
	if f.After != 0 {
		slices.Reverse(clashes)
	}
	return clashes, more, err
}

func readClashes(tx *gorm.DB, actor Actor, rest string, args map[string]any) ([]Clash, error) {
	rows, err := query[clashRow](tx, selectClashes+rest, args)
	clashes := make([]Clash, len(rows))
	for i, r := range rows {
		if clashes[i], err = r.clash(actor); err != nil {
			return nil, err
		}
	}
	return clashes, err
}

type clashRow struct {
	ID                          int64
	Key, By, ByName             string
	At, FirstAt                 time.Time
	Operation, Request, Address string
	FirstBy, FirstOperation     string
	FirstSeq                    int64
	Fields                      string
}

func (r clashRow) clash(actor Actor) (Clash, error) {
	c := Clash{
		ID: r.ID, Key: r.Key, At: r.At.UTC(), By: r.By, ByName: r.ByName, Operation: r.Operation, Request: r.Request, Address: r.Address,
		FirstBy: r.FirstBy, FirstAt: r.FirstAt.UTC(), FirstOperation: r.FirstOperation, FirstSeq: r.FirstSeq,
	}
	if !actor.maySeeAsked(r.Operation) || !actor.maySeeAsked(r.FirstOperation) {
		c.Private = true
		return c, nil
	}
	if err := json.Unmarshal([]byte(r.Fields), &c.Fields); err != nil {
		return c, fmt.Errorf("read the fields of clash %d: %w", r.ID, err)
	}
	return c, nil
}

// recordClash keeps what a refused key was sent with, if that is why it was refused. It is a transaction of its own: that of the request
// was rolled back.
func (s *Store) recordClash(ctx context.Context, actor Actor, cause error) error {
	var clash *ledger.Clash
	if !errors.As(cause, &clash) || actor.UserID == 0 || actor.Book.ID == 0 || clash.Key == "" {
		return nil
	}
	fields, err := json.Marshal(cutFields(clash.Compared()))
	if err != nil {
		return fmt.Errorf("write a clash: %w", err)
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, fmt.Sprintf("clashes of book %d", actor.Book.ID)); err != nil {
			return err
		}
		room, err := s.roomForClash(tx, actor.Book, clash.Key)
		if err != nil || !room {
			return err
		}
		return s.insertClash(tx, actor, clash, string(fields))
	})
	if err != nil {
		return fmt.Errorf("keep the clash of key %q: %w", clash.Key, err)
	}
	return nil
}

// roomForClash reports whether this day has room for one more clash of the key, and of the book.
func (s *Store) roomForClash(tx *gorm.DB, book Book, key string) (bool, error) {
	return queryOne[bool](tx, "no count", `
		SELECT (SELECT count(*) FROM (SELECT at FROM key_clashes WHERE book_id = @book AND key = @key ORDER BY id DESC LIMIT @a_key) k WHERE k.at >= @day) < @a_key
		   AND (SELECT count(*) FROM (SELECT at FROM key_clashes WHERE book_id = @book ORDER BY id DESC LIMIT @a_day) d WHERE d.at >= @day) < @a_day`,
		map[string]any{"book": book.ID, "key": key, "a_key": clashesPerKeyAndDay, "a_day": clashesPerDay, "day": ledger.DateOf(s.now()).Time()})
}

func (s *Store) insertClash(tx *gorm.DB, actor Actor, clash *ledger.Clash, fields string) error {
	id, err := nextNumber(tx, actor.Book.ID, "clash", 1)
	if err != nil {
		return err
	}
	var firstAt *time.Time
	if at := clash.First.SettledAt; !at.IsZero() {
		firstAt = &at
	}
	var firstSeq *int64
	if clash.First.Record != nil {
		firstSeq = &clash.First.Record.Seq
	}
	_, err = exec(tx, `
		INSERT INTO key_clashes (book_id, id, key, at, sent_by, operation, request_id, address, first_by, first_at, first_operation, first_seq, fields)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb))`,
		actor.Book.ID, id, clash.Key, s.now(), actor.UserID, clash.Operation, actor.Request, actor.Address,
		clash.First.UsedBy, firstAt, clash.First.Operation, firstSeq, fields)
	return err
}

func cutFields(fields []ledger.ClashField) []ledger.ClashField {
	cut := make([]ledger.ClashField, 0, min(len(fields), clashFields))
	for _, f := range fields[:min(len(fields), clashFields)] {
		f.Field, f.First, f.Sent = cutText(f.Field), cutText(f.First), cutText(f.Sent)
		cut = append(cut, f)
	}
	return cut
}

// cutText is what can be kept of a text: at most so many bytes, whole characters.
func cutText(text string) string {
	text = storable(text)
	if len(text) <= clashValueBytes {
		return text
	}
	end := clashValueBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
