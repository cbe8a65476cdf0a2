package templates

import (
	"strconv"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Candidate is what the break could be matched with, or what of it belongs together: the items as they are shown and, in Match, the names of
// all that a match of them takes. Resolves are the other breaks that it settles, Reduces those that it takes a part from.
type Candidate struct {
	Items             []OpenItem
	Score             int
	Fits              []recon.Fit
	Match             []string
	Resolves, Reduces []int64
}

// OpenItem is a posting or a line of the bank that is in no match. Name is what a form calls it.
type OpenItem struct {
	Name        string
	Date        ledger.Date
	Text        string
	Reference   string
	AmountMinor int64
	Currency    string
	// Seq is the entry of a posting; 0 for a line, which is row Row of a statement.
	Seq  int64
	Row  int
	File string
	// BreakID is the break that it is in; 0 for none, or where that is this one.
	BreakID int64
	Chosen  bool
}

// OpenSearch is the search for what a person matches by hand, with what was found. Own are the items of the break itself.
type OpenSearch struct {
	Text, Amount, From, To string
	Errors                 []ledger.FieldError
	Own, Postings, Lines   []OpenItem
	More                   bool
	Note                   string
}

// MatchForm is what the forms that match have in common.
type MatchForm struct {
	Form    string
	Message string
	Errors  []ledger.FieldError
}

// where names an item by where it stands.
func (i OpenItem) where(f ui.Format) string {
	if i.Seq != 0 {
		return f.Seq(i.Seq)
	}
	return "row " + f.Number(i.Row)
}

// heading is what the items of the candidates are.
func (v Break) candidateHeading() string {
	if len(v.Candidates) > 0 && v.Candidates[0].Items[0].Seq != 0 {
		return "Posting"
	}
	return "Bank line"
}

// sumMinor is what the items of a candidate add up to.
func (c Candidate) sumMinor() (sum int64) {
	for _, item := range c.Items {
		sum += item.AmountMinor // of a set that adds up to an amount of the books
	}
	return sum
}

// paired says that a candidate shows both sides: then each amount stands at its item.
func (c Candidate) paired() bool {
	for _, item := range c.Items {
		if (item.Seq != 0) != (c.Items[0].Seq != 0) {
			return true
		}
	}
	return false
}

func fitChip(f recon.Fit) ui.Chip {
	switch f.How {
	case recon.Fits:
		return ui.Chip{Text: f.Text, Tone: ui.OK, Icon: "circle-check"}
	case recon.FitsInPart:
		return ui.Chip{Text: f.Text, Icon: "circle-dot"}
	}
	return ui.Chip{Text: f.Text, Icon: "circle-minus"}
}

// also says what else a match does.
func (c Candidate) also() string {
	var parts []string
	if len(c.Resolves) > 0 {
		parts = append(parts, "Also resolves "+namesOfBreaks(c.Resolves))
	}
	if len(c.Reduces) > 0 {
		parts = append(parts, "Takes a part from "+namesOfBreaks(c.Reduces))
	}
	return joined(parts...)
}

func namesOfBreaks(ids []int64) (names string) {
	for i, id := range ids {
		switch {
		case i > 0 && i == len(ids)-1:
			names += " and "
		case i > 0:
			names += ", "
		}
		names += NameOfBreak(id)
	}
	return names
}

// candidateNote says beside the heading how sure they are.
func (v Break) candidateNote() string {
	switch best := v.Candidates; {
	case len(best) > 1 && best[0].Score == best[1].Score:
		return "Several fit equally well, so no rule decides. A person does."
	case len(best) > 1:
		return "More than one fits, so no rule decides. A person does."
	case len(best) == 1:
		return "One fits. A person decides."
	}
	return ""
}

// searchLink is where a person searches; what of this break is chosen too where it holds several.
func (v Break) searchLink() ui.Link {
	link := ui.Link{Text: "Search all open postings and lines", Href: v.Book.BreakURL(v.ID) + "?search=1#open"}
	if len(v.Bank)+len(v.Ledger) > 1 {
		link.Text = "Choose by hand what belongs together"
	}
	return link
}

// sums are those of what is chosen in the search.
func (s OpenSearch) sums() (ledgerMinor, bankMinor int64) {
	for _, items := range [][]OpenItem{s.Own, s.Postings, s.Lines} {
		for _, item := range items {
			if item.Chosen && item.Seq != 0 {
				ledgerMinor, _ = ledger.Add(ledgerMinor, item.AmountMinor)
			} else if item.Chosen {
				bankMinor, _ = ledger.Add(bankMinor, item.AmountMinor)
			}
		}
	}
	return ledgerMinor, bankMinor
}

func (s OpenSearch) differenceMinor() int64 {
	ours, theirs := s.sums()
	difference, _ := ledger.Add(ours, -theirs)
	return difference
}

func (i OpenItem) side() string {
	if i.Seq != 0 {
		return "ledger"
	}
	return "bank"
}

// digitsOf is how many decimals a currency has, for a script that adds up.
func digitsOf(currency string) string {
	digits, _ := ledger.Exponent(currency)
	return strconv.Itoa(digits)
}
