package templates

import (
	"strconv"

	"github.com/a-h/templ"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// picks are the boxes that choose lines and postings of one row by themselves.
type picks struct {
	Offered  bool
	Fixed    bool // all of the filter is chosen: nothing is chosen one by one
	Prefix   string
	Chosen   map[string]bool
	Currency string
}

// picksShown bounds what of a row can be chosen one by one on this page; the page of the break shows all.
const picksShown = 20

func (p picks) shown() int {
	if p.Offered {
		return picksShown
	}
	return sidesShown
}

// box are the attributes of a box that chooses an amount of one side.
func (p picks) box(part, side string, minor int64, currency string) templ.Attributes {
	if currency != p.Currency {
		minor = 0
	}
	return templ.Attributes{"data-part": side, "data-minor": strconv.FormatInt(minor, 10), "checked": p.Chosen[p.Prefix+"."+part], "disabled": p.Fixed}
}

func (v Reconciliation) picks(r BreakRow) picks {
	return picks{Offered: v.Work.Offered && r.inParts(), Fixed: v.Work.All, Prefix: r.value(), Chosen: v.Work.Parts, Currency: v.Currency}
}

func (v Reconciliation) matchPicks(m MatchRow) picks {
	return picks{Offered: v.Work.Offered && len(m.Bank)+len(m.Ledger) > 2, Prefix: strconv.FormatInt(m.ID, 10), Chosen: v.Work.Parts, Currency: v.Currency}
}

// boxOf are the attributes of the box that chooses a row: what it adds to the sums.
func (v Reconciliation) boxOf(g BreakGroup, r BreakRow) templ.Attributes {
	bankMinor, ledgerMinor := v.sides(r)
	return templ.Attributes{
		"data-group": g.anchor(), "data-bank": strconv.FormatInt(bankMinor, 10), "data-ledger": strconv.FormatInt(ledgerMinor, 10), "data-waits": v.waits(r),
		"checked": v.Work.Chosen[r.ID] || v.Work.All, "disabled": v.Work.All,
	}
}

func (g BreakGroup) anchor() string { return "g-" + string(g.Type) + "-" + g.Status }

// workDigits is how many decimals the script writes sums with.
func (v Reconciliation) workDigits() string {
	digits, _ := ledger.Exponent(v.Currency)
	return strconv.Itoa(digits)
}

// adds says in words whether what is chosen can be matched.
func (v Reconciliation) adds(rows int, bankMinor, ledgerMinor int64) string {
	switch {
	case rows == 0:
		return "Nothing selected"
	case bankMinor == ledgerMinor:
		return "Adds up: can be matched"
	}
	return "Does not add up"
}

// kept are the filters that a search keeps.
func (v Reconciliation) kept() []ui.Option {
	var fields []ui.Option
	for _, name := range []string{"type", "status", "owner", "age"} {
		if value := v.query().Get(name); value != "" {
			fields = append(fields, ui.Option{Value: name, Text: value})
		}
	}
	return fields
}

// unmatchAddress is where matches are taken apart, which leads back to this page of them.
func (v Reconciliation) unmatchAddress() string {
	address := v.path("/unmatch?tab=" + ReconciliationMatched)
	if v.After > 0 {
		address += "&after=" + strconv.Itoa(v.After)
	}
	return address
}

// undoAddress leads back to the breaks that the filter finds, from the matches to all of them.
func (v Reconciliation) undoAddress() string {
	if v.Tab == ReconciliationMatched {
		return v.path("/undo")
	}
	return v.address("/undo")
}

// name tells matches apart where their buttons are read out.
func (m MatchRow) name(f ui.Format) string {
	switch {
	case len(m.Bank) > 0:
		return "row " + f.Number(m.Bank[0].Row)
	case len(m.Ledger) > 0:
		return "entry " + f.Seq(m.Ledger[0].Seq)
	}
	return "match " + strconv.FormatInt(m.ID, 10)
}

func doneIcon(tone ui.Tone) ui.Icon {
	if tone == ui.Warn {
		return "alert-triangle"
	}
	return "circle-check"
}
