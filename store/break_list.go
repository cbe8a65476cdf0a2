package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// BreakOwner narrows breaks, not resolved yet, by who has them.
type BreakOwner string

// The owners to narrow by: the reader, and nobody.
const (
	OwnedByMe     BreakOwner = "me"
	OwnedByNobody BreakOwner = "none"
)

// BreakQuery narrows the breaks of a reconciliation as people work on them; zero fields do not. Owner and Before are about what is not
// resolved: whose it is, and of which days. Text is words in what the break holds, or its name (B-12); AmountMinor, where
// it is given, finds besides those of which it is, signed or not, the difference or something that they hold. After is the number of breaks before the page.
type BreakQuery struct {
	ReconciliationID int64
	Type             recon.BreakType
	Standing         Standing
	Owner            BreakOwner
	Before           ledger.Date
	Text             string
	AmountMinor      *int64
	After, Limit     int
}

// BreakPage is a page of breaks to work on, what is open first. Found and SumMinor are of all that the query finds; Digest tells whether it
// finds the same as before, each as it was, "" where it finds more than can be decided at once.
type BreakPage struct {
	Items    []Break
	More     bool
	Found    int
	SumMinor int64
	Digest   string
}

// MaxBreaksAtOnce bounds what one decision is about.
const MaxBreaksAtOnce = maxBreaksAtOnce

// WorkList lists the breaks of a reconciliation by standing, then by type, day, amount and id. One that is signed off is listed as it was, by
// type and standing alone, without a digest. Errors: KindNotFound, KindAmountOverflow.
func (s *Store) WorkList(ctx context.Context, actor Actor, q BreakQuery) (page BreakPage, err error) {
	if err := actor.Need(RightRead); err != nil {
		return BreakPage{}, err
	}
	q.Limit = pageSize(q.Limit)
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if err := needReconciliation(tx, actor.Book, q.ReconciliationID); err != nil {
			return err
		}
		version, err := signedVersion(tx, actor.Book, q.ReconciliationID)
		if err != nil {
			return err
		}
		if version != 0 {
			page.Items, page.More, err = breaksKept(tx, actor.Book, q.kept(), version)
			return err
		}
		page, err = q.list(tx, actor)
		return err
	})
	return page, err
}

// kept is what a signed version can be narrowed by.
func (q BreakQuery) kept() BreakFilter {
	return BreakFilter{ReconciliationID: q.ReconciliationID, Type: q.Type, Standing: q.Standing, After: q.After, Limit: q.Limit}
}

func (q BreakQuery) list(tx *gorm.DB, actor Actor) (page BreakPage, err error) {
	where, args := q.where(actor)
	total, err := queryOne[struct {
		Found int
		Minor string
	}](tx, "no count", `SELECT count(*) AS found, coalesce(sum(b.difference_minor), 0)::text AS minor`+where, args)
	if err != nil {
		return BreakPage{}, fmt.Errorf("count breaks: %w", err)
	}
	page.Found = total.Found
	if page.SumMinor, err = strconv.ParseInt(total.Minor, 10, 64); err != nil {
		return BreakPage{}, ledger.Refuse(ledger.KindAmountOverflow, "the differences of the breaks add up to more than the largest amount")
	}
	if page.Items, page.More, err = q.page(tx, actor); err != nil {
		return BreakPage{}, err
	}
	seen, err := q.seen(tx, actor)
	if len(seen) <= maxBreaksAtOnce {
		page.Digest = digestOf(seen)
	}
	return page, err
}

// page reads the breaks of the page alone.
func (q BreakQuery) page(tx *gorm.DB, actor Actor) (items []Break, more bool, err error) {
	ids, err := q.ids(tx, actor, q.Limit+1)
	if err != nil {
		return nil, false, err
	}
	if more = len(ids) > q.Limit; more {
		ids = ids[:q.Limit]
	}
	items, err = loadBreaks(tx, actor.Book, `b.id = ANY(?::bigint[]) ORDER BY array_position(?::bigint[], b.id)`, ids, ids)
	return items, more, err
}

// ids are the numbers of the breaks in the order of the list, from its page on.
func (q BreakQuery) ids(tx *gorm.DB, actor Actor, limit int) (array[int64], error) {
	where, args := q.where(actor)
	args["types"], args["standings"], args["after"], args["limit"] = typeOrder(), standingOrder(), q.After, limit
	ids, err := query[int64](tx, `
		SELECT b.id`+where+`
		 ORDER BY array_position(CAST(@standings AS text[]), `+standingSQL+`), array_position(CAST(@types AS text[]), b.type), b.since, b.difference_minor, b.id
		OFFSET @after LIMIT @limit`, args)
	if err != nil {
		return nil, fmt.Errorf("list breaks: %w", err)
	}
	return ids, nil
}

func standingOrder() array[Standing] {
	return array[Standing]{StandsOpen, StandsExplained, StandsResolved}
}

// seen are the breaks that the query finds, whatever its page, each as it is; one more than can be decided at once where there are more.
func (q BreakQuery) seen(tx *gorm.DB, actor Actor) ([]SeenBreak, error) {
	where, args := q.where(actor)
	args["limit"] = maxBreaksAtOnce + 1
	seen, err := query[SeenBreak](tx, `
		SELECT b.id, `+versionOfBreak+` AS version FROM (SELECT b.book_id, b.id`+where+` ORDER BY b.id LIMIT @limit) b ORDER BY b.id`, args)
	if err != nil {
		return nil, fmt.Errorf("read the versions of breaks: %w", err)
	}
	return seen, nil
}

func digestOf(seen []SeenBreak) string {
	var text strings.Builder
	for _, b := range seen {
		fmt.Fprintf(&text, "%d.%d ", b.ID, b.Version)
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:16])
}

// where is the part of a query for breaks b from FROM on.
func (q BreakQuery) where(actor Actor) (string, map[string]any) {
	args := map[string]any{"book": actor.Book.ID, "id": q.ReconciliationID}
	sql := heldBreaks + ` AND NOT EXISTS (SELECT FROM reconciliations r WHERE r.book_id = h.book_id AND r.id = h.reconciliation_id AND r.status = 'undone')`
	add := func(name string, value any, condition string) {
		args[name] = value
		sql += ` AND ` + condition
	}
	if q.Type != "" {
		add("type", q.Type, `b.type = @type`)
	}
	if q.Standing != "" {
		add("standing", q.Standing, standingSQL+` = @standing`)
	}
	switch q.Owner {
	case OwnedByMe:
		add("user", actor.UserID, `b.status <> 'resolved' AND b.assignee_id = @user`)
	case OwnedByNobody:
		sql += ` AND b.status <> 'resolved' AND b.assignee_id IS NULL`
	}
	if !q.Before.IsZero() {
		add("before", q.Before, `b.status <> 'resolved' AND coalesce(b.since, b.first_seen_on) < @before`)
	}
	return sql + q.search(args), args
}

const (
	breakLineHas    = `EXISTS (SELECT FROM break_lines i JOIN statement_lines l ON l.book_id = i.book_id AND l.id = i.line_id WHERE i.book_id = b.book_id AND i.break_id = b.id AND `
	breakPostingHas = `EXISTS (SELECT FROM break_postings i JOIN postings p ON p.book_id = i.book_id AND p.seq = i.seq AND p.line = i.line
		JOIN entries e ON e.book_id = i.book_id AND e.seq = i.seq WHERE i.book_id = b.book_id AND i.break_id = b.id AND `
)

// search looks for what has each word of the text, or the amount.
func (q BreakQuery) search(args map[string]any) string {
	words := strings.Fields(q.Text)
	found := make([]string, 0, len(words))
	for i, word := range words[:min(len(words), maxSearchWords)] {
		name := fmt.Sprint("word", i)
		args[name] = containing(storable(word))
		found = append(found, strings.ReplaceAll(`(('B-' || b.id) ILIKE @word OR b.why ILIKE @word OR `+
			breakLineHas+`(l.description ILIKE @word OR l.reference ILIKE @word)) OR `+
			breakPostingHas+`(e.description ILIKE @word OR e.tx_id ILIKE @word OR e.metadata->>'reference' ILIKE @word)))`, "@word", "@"+name))
	}
	either := make([]string, 0, 2)
	if len(found) > 0 {
		either = append(either, strings.Join(found, " AND "))
	}
	if q.AmountMinor != nil {
		args["amount"] = max(*q.AmountMinor, -*q.AmountMinor)
		either = append(either, `abs(b.difference_minor) = @amount OR `+breakLineHas+`abs(l.amount_minor) = @amount) OR `+breakPostingHas+`abs(p.amount_minor) = @amount)`)
	}
	if len(either) == 0 {
		return ""
	}
	return ` AND (` + strings.Join(either, " OR ") + `)`
}

// maxSearchWords is more than anyone looks for.
const maxSearchWords = 8
