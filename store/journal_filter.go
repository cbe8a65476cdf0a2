package store

import (
	"maps"
	"slices"
	"strings"

	"daybook/store/ledger"
)

// EntryFilter narrows a list of entries; zero fields do not. After and Before are seqs that bound the page, exclusive. Side and
// Amounts are of postings to Account, where there is one.
type EntryFilter struct {
	After, Before int64
	Account       string
	Side          Side
	From, To      ledger.Date
	Seqs          []int64
	TxID          string // exactly
	Words         []SearchWord
	Kind          ledger.EntryKind
	Amounts       map[string]int64 // the absolute amount of a posting, by currency
	Limit         int
	Newest        bool // newest first
}

// SearchWord is one word of a search, all of which an entry must have: in the tx id, the description, the metadata, the code or the
// name of an account, or the name or e-mail address of who recorded it. Seq finds this entry too, and Amounts find postings of these
// absolute amounts, by currency.
type SearchWord struct {
	Text    string
	Seq     int64
	Amounts map[string]int64
}

// MaxSearchWords bounds a search: each word is looked for in every entry.
const MaxSearchWords = 30

// check refuses a search of too many words, of which none may be left out. Error: KindInvalid.
func (f EntryFilter) check() error {
	if len(f.Words) <= MaxSearchWords {
		return nil
	}
	return ledger.Refuse(ledger.KindInvalid, "the search has %d words: %d at most are looked for", len(f.Words), MaxSearchWords).
		At("q", "has %d words; the most is %d", len(f.Words), MaxSearchWords)
}

// WordsOf are the words of a text as a search.
func WordsOf(text string) (words []SearchWord) {
	for word := range strings.FieldsSeq(text) {
		words = append(words, SearchWord{Text: word})
	}
	return words
}

// Side is a side of an account.
type Side string

// The sides.
const (
	Debit  Side = "debit"
	Credit Side = "credit"
)

// of is the condition on postings p that they are on the side; both where it is none.
func (s Side) of() string {
	switch s {
	case Debit:
		return " AND p.amount_minor > 0"
	case Credit:
		return " AND p.amount_minor < 0"
	}
	return ""
}

// isWholeBook tells whether no entry is left out.
func (f EntryFilter) isWholeBook() bool {
	_, args := f.where(Book{})
	return len(args) == 1 // the book
}

func (f EntryFilter) where(book Book) (string, []any) {
	parts, args := []string{"e.book_id = ?"}, []any{book.ID}
	add := func(condition string, values ...any) {
		parts, args = append(parts, condition), append(args, values...)
	}
	if f.After > 0 {
		add("e.seq > ?", f.After)
	}
	if f.Before > 0 {
		add("e.seq < ?", f.Before)
	}
	if !f.From.IsZero() {
		add("e.effective_on >= ?", f.From)
	}
	if !f.To.IsZero() {
		add("e.effective_on <= ?", f.To)
	}
	if f.Kind != "" {
		add("e.kind = ?", f.Kind)
	}
	if f.Seqs != nil {
		add("e.seq = ANY(?::bigint[])", array[int64](f.Seqs))
	}
	if f.TxID != "" {
		add("e.tx_id = ?", f.TxID)
	}
	for _, word := range f.Words {
		condition, values := word.where(book)
		add(condition, values...)
	}
	if f.Account != "" || len(f.Amounts) > 0 {
		condition, values := f.wherePosting(book)
		add(condition, values...)
	}
	return strings.Join(parts, " AND "), args
}

// wherePosting finds entries with a posting as the filter asks. The account is found once, before the postings: these are then read by their account.
func (f EntryFilter) wherePosting(book Book) (string, []any) {
	condition, args := `EXISTS (SELECT FROM postings p WHERE p.book_id = e.book_id AND p.seq = e.seq`+f.Side.of(), []any(nil)
	if f.Account != "" {
		condition += ` AND p.account_id = (SELECT a.id FROM accounts a WHERE a.book_id = ? AND a.code = ?)`
		args = append(args, book.ID, f.Account)
	}
	if len(f.Amounts) > 0 {
		currencies, amounts := columnsOfAmounts(f.Amounts)
		condition += ` AND ` + ofAmounts
		args = append(args, currencies, amounts)
	}
	return condition + `)`, args
}

// where finds entries that have the word. Of an e-mail address only what stands before the @ counts, unless the word has one: people
// of a firm share the rest, and a search for the name of the firm would find all they recorded.
func (w SearchWord) where(book Book) (string, []any) {
	like := containing(w.Text)
	email := "split_part(u.email, '@', 1)"
	if strings.Contains(w.Text, "@") {
		email = "u.email"
	}
	condition := `(e.tx_id ILIKE ? OR e.description ILIKE ? OR e.metadata::text ILIKE ? OR e.seq = ?
		OR e.recorded_by = ANY(ARRAY(SELECT u.id FROM users u WHERE u.name ILIKE ? OR ` + email + ` ILIKE ?))
		OR EXISTS (SELECT FROM postings p WHERE p.book_id = e.book_id AND p.seq = e.seq
		              AND p.account_id = ANY(ARRAY(SELECT a.id FROM accounts a WHERE a.book_id = ? AND (a.code ILIKE ? OR a.name ILIKE ?))))`
	args := []any{like, like, like, w.Seq, like, like, book.ID, like, like}
	if len(w.Amounts) > 0 {
		currencies, amounts := columnsOfAmounts(w.Amounts)
		condition, args = condition+" OR "+hasAmount, append(args, currencies, amounts)
	}
	return condition + ")", args
}

// ofAmounts chooses postings p of these absolute amounts; hasAmount finds entries with such a posting.
const (
	ofAmounts = `EXISTS (SELECT FROM unnest(?::text[], ?::bigint[]) AS w (currency, minor) WHERE w.currency = p.currency AND p.amount_minor IN (w.minor, -w.minor))`
	hasAmount = `EXISTS (SELECT FROM postings p WHERE p.book_id = e.book_id AND p.seq = e.seq AND ` + ofAmounts + `)`
)

func columnsOfAmounts(byCurrency map[string]int64) (currencies array[string], amounts array[int64]) {
	for _, currency := range slices.Sorted(maps.Keys(byCurrency)) {
		currencies, amounts = append(currencies, currency), append(amounts, byCurrency[currency])
	}
	return currencies, amounts
}
