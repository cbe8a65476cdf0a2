package recon

// Kind says how a match was found.
type Kind string

// The kinds of a match.
const (
	KindReference    Kind = "reference"
	KindFuzzy        Kind = "fuzzy"
	KindBatch        Kind = "batch"
	KindSplit        Kind = "split"
	KindReversedPair Kind = "reversed_pair"
	KindManual       Kind = "manual"
)

// Kinds are all kinds, in the order in which they are shown.
func Kinds() []Kind {
	return []Kind{KindReference, KindFuzzy, KindBatch, KindSplit, KindReversedPair, KindManual}
}

// Label is the kind as people read it.
func (k Kind) Label() string {
	switch k {
	case KindReference:
		return "By reference"
	case KindFuzzy:
		return "By amount and date"
	case KindBatch:
		return "Batch"
	case KindSplit:
		return "Split"
	case KindReversedPair:
		return "Reversed"
	case KindManual:
		return "By hand"
	}
	return string(k)
}

// BreakType says what kind of difference a break is. Every break has exactly one.
type BreakType string

// The types of a break.
const (
	AmountMismatch    BreakType = "amount_mismatch"
	MissingInLedger   BreakType = "missing_in_ledger"
	MissingInBank     BreakType = "missing_in_bank"
	Ambiguous         BreakType = "ambiguous"
	DuplicateInLedger BreakType = "duplicate_in_ledger"
	DuplicateInBank   BreakType = "duplicate_in_bank"
	CurrencyMismatch  BreakType = "currency_mismatch"
	Balance           BreakType = "balance"
	Timing            BreakType = "timing"
)

var breakLabels = [...]struct {
	Type  BreakType
	Label string
}{
	{AmountMismatch, "Amount differs"},
	{MissingInLedger, "Missing in ledger"},
	{MissingInBank, "Missing in bank"},
	{Ambiguous, "Several candidates"},
	{DuplicateInLedger, "Duplicate in ledger"},
	{DuplicateInBank, "Duplicate in bank"},
	{CurrencyMismatch, "Currency differs"},
	{Balance, "Balance does not prove"},
	{Timing, "Timing"},
}

// BreakTypes are all types in the order in which they are shown: what needs work first, what explains itself last.
func BreakTypes() []BreakType {
	types := make([]BreakType, len(breakLabels))
	for i, known := range breakLabels {
		types[i] = known.Type
	}
	return types
}

// Rank is the place of the type in BreakTypes; an unknown type comes after all of them.
func (t BreakType) Rank() int {
	for i, known := range breakLabels {
		if known.Type == t {
			return i
		}
	}
	return len(breakLabels)
}

// Label is the type as people read it.
func (t BreakType) Label() string {
	if rank := t.Rank(); rank < len(breakLabels) {
		return breakLabels[rank].Label
	}
	return string(t)
}

// Matched is one match. Ledger and Bank are indexes into the Input. DifferenceMinor is ledger - bank: 0 but where the account's
// Rules allow a tolerance or a fee, which is then still to be booked or explained.
type Matched struct {
	Kind            Kind
	Rule            string // the rule that found it: equals, alike, reference, window, reversed, text, slip, shared, named, sum, tolerance, fee
	Score           int    // 0 to 100
	Why             string
	Ledger, Bank    []int
	DifferenceMinor int64
}

// Break is one difference. Ledger and Bank are indexes into the Input. DifferenceMinor is ledger - bank over those of
// its lines that are in the account's currency, so the breaks add up to the difference of the totals; a line in
// another currency adds nothing to it. Resolution is set when the break is born resolved, as timing is.
type Break struct {
	Type            BreakType
	Ledger, Bank    []int
	DifferenceMinor int64
	Why             string
	Resolution      Resolution
}

// Result is what Match found: every line in scope is in exactly one match or break. Breaks are ordered by type, then
// date, amount, text and ID; matches by date, amount, text and ID.
type Result struct {
	Matches []Matched
	Breaks  []Break
	Search  Search
}

// Search says how much was tried to find lines that add up to another: Lines for which sets were sought, Sets whose sum came
// near, and of the Lines those left Unfinished because there were too many sets to try.
type Search struct {
	Lines      int `json:"lines"`
	Sets       int `json:"sets"`
	Unfinished int `json:"unfinished"`
}

// Counts gives the number of breaks of each type that occurs.
func (r Result) Counts() map[BreakType]int {
	counts := map[BreakType]int{}
	for _, b := range r.Breaks {
		counts[b.Type]++
	}
	return counts
}
