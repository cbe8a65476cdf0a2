package web

import (
	"strings"

	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// checksView is what was looked at, with what to do where it does not hold.
func (d *draftShown) checksView() []templates.DraftCheck {
	if !d.Readable {
		return nil
	}
	var all checks
	d.checkAccount(&all)
	d.checkOpening(&all)
	d.checkDates(&all)
	d.checkBalances(&all)
	d.checkRows(&all)
	return all
}

type checks []templates.DraftCheck

func (c *checks) holds(text string) { *c = append(*c, templates.DraftCheck{Tone: ui.OK, Text: text}) }

// warns adds a check that does not hold, and gives it to be completed.
func (c *checks) warns(text, advice string) *templates.DraftCheck {
	*c = append(*c, templates.DraftCheck{Tone: ui.Warn, Text: text, Advice: advice})
	return &(*c)[len(*c)-1]
}

// checkAccount holds the account that the file prints against those of the files before it, and the file against those that are stored.
func (d *draftShown) checkAccount(all *checks) {
	if c := d.Checks.Account; c != nil && c.OK() && len(c.Earlier) > 0 {
		all.holds("Same account of the bank as before")
	} else if c != nil && !c.OK() {
		title := "Another account of the bank than before"
		if len(c.Earlier) == 0 {
			title = "An account of the bank that is stored for " + strings.Join(c.Elsewhere, " and ")
		}
		all.warns(title, d.otherAccount()+" Choose the account that it is of, or store it if the bank has renumbered it.")
	}
	if len(d.Elsewhere) > 0 {
		all.warns("Stored for "+strings.Join(d.Elsewhere, " and ")+" too", "The same file is stored for another account: is the account right?")
	}
	if d.Stored != nil {
		all.warns("Stored for this account already", "Storing it again changes nothing.")
	}
}

func (d *draftShown) checkOpening(all *checks) {
	c := d.Checks.Opening
	switch {
	case c == nil:
	case c.OK():
		all.holds("Opening equals the closing of the statement before")
	default:
		check := all.warns("Opening differs from the closing before", "A file may be missing between the two, or hold rows that this one lacks.")
		if differs, ok := ledger.Add(c.OpeningMinor, -c.ClosingMinor); ok {
			check.Money = &ui.Money{Minor: differs, Currency: d.currency()}
		}
	}
}

func (d *draftShown) checkDates(all *checks) {
	c := d.Checks.Dates
	switch {
	case c == nil:
	case !c.OK():
		all.warns(d.reader.Plural(c.GapDays, "day", "days")+" between the statements", "Upload what lies between, if anything was booked then.").Since = c.PreviousTo
	case c.OverlapDays > 0:
		all.holds(d.reader.Plural(c.OverlapDays, "day", "days") + " shared with the statement before")
	default:
		all.holds("No gap between statements")
	}
}

func (d *draftShown) checkBalances(all *checks) {
	c := d.Checks.Balances
	if c == nil {
		if d.Proof != nil && d.Proof.ComputedMinor == nil && d.Rows.New > 0 {
			*all = append(*all, templates.DraftCheck{Text: "No balances in the file to prove it by"})
		}
		return
	}
	equal := d.reader.Number(c.Equal) + " of " + d.reader.Number(c.Compared) + " row balances equal"
	if c.OK() {
		all.holds(equal)
		return
	}
	all.warns(equal, "Look for the rows that differ under “New”: a row may be missing before them.")
}

// checkRows names what a person should have seen before the rest is stored.
func (d *draftShown) checkRows(all *checks) {
	for _, c := range d.Settings.Contradictions {
		all.warns("The rows contradict a setting", c.Detail)
	}
	if n := d.InDoubt; n > 0 {
		all.warns(d.reader.Plural(n, "known row may be new", "known rows may be new"), "A line of the same day and amount is stored, and nothing decides that it is the same: one of the files may begin or end within the day, or be of another format. "+
			"Look under “Already known”, and include what the bank booked once more.")
	}
	if n := d.Rows.Rejected; n > 0 {
		all.warns(d.reader.Plural(n, "row is rejected", "rows are rejected"), "The reasons stand under “Rejected”. These rows are not stored, the others are.")
	}
	if d.Rows.New+d.Rows.Known+d.Rows.Duplicate == 0 {
		all.warns("No line in the file", "A month without movements has none. Otherwise, is it the right file?")
	}
}
