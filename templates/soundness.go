package templates

import (
	"strings"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Soundness is what is known of whether the book is what was recorded: what can be seen now, and what the last verification found.
type Soundness struct {
	Missing               int64 // numbers up to the head that no entry has
	Currencies, Differing []string
	LastClosed            ledger.Period // "" for none
	// LastStatement is the account whose statement reaches furthest, "" for none.
	LastStatement     string
	LastStatementDays int

	Verified   bool // once, by this server
	VerifiedAt time.Time
	WholeAt    time.Time // when every entry was read, where that was earlier
	Entries    int64     // up to which the chain was followed
	Fault      string    // in words, "" for none
	// FaultSeq is the entry of the fault; 0 for a fault of the kept totals.
	FaultSeq  int64
	GuardsOff int
}

// sound is false as soon as anything is known that speaks against it.
func (s Soundness) sound() bool {
	return s.Fault == "" && s.Missing == 0 && len(s.Differing) == 0
}

func (s Soundness) title() string {
	switch {
	case !s.sound():
		return "The book is not sound"
	case !s.Verified:
		return "Is the book sound?"
	}
	return "The book is sound"
}

// note says what was looked at, when, and what has come since.
func (s Soundness) note(f ui.Format, head int64) string {
	if !s.Verified {
		return "This server has not recomputed it yet. It does so at its start and from time to time; load the page again in a moment."
	}
	note := "Recomputed from every entry at " + f.Minute(s.VerifiedAt) + " UTC"
	if s.WholeAt.Before(s.VerifiedAt) && !s.WholeAt.IsZero() {
		note = "Recomputed from every entry at " + f.Minute(s.WholeAt) + " UTC, and from those since then at " + f.Minute(s.VerifiedAt) + " UTC"
	}
	if later := head - s.Entries; later > 0 && s.Fault == "" {
		note += "; " + f.Plural(int(later), "entry has", "entries have") + " come since, checked by the database one by one"
	}
	return note
}

// fault is what the page shouts. A fault that is seen before a verification names it is told as it is seen.
func (s Soundness) fault(f ui.Format) *ui.Alert {
	if s.sound() {
		return nil
	}
	alert := &ui.Alert{Tone: ui.Bad, Title: "This book is not what was recorded.", Text: "An auditor of the book and whoever runs the database should see this at once: post nothing more before it is understood."}
	switch {
	case s.Fault != "":
		alert.Title += " " + sentence(s.Fault) + "."
	case s.Missing > 0:
		alert.Title += " " + f.Plural(int(s.Missing), "entry is", "entries are") + " missing."
	default:
		alert.Title += " Its kept debits and credits differ in " + strings.Join(s.Differing, ", ") + "."
	}
	return alert
}

func (s Soundness) figures(f ui.Format, book Book) ui.Figures {
	return ui.Figures{
		{Label: "Debits = credits", Chip: s.balanced(f)},
		{Label: "Chain of hashes", Chip: s.chain(f)},
		{Label: "Numbers without gaps", Chip: s.numbers(f, book.Head)},
		{Label: "Kept totals", Chip: s.totals()},
		{Label: "Guards of the database", Chip: s.guards(f)},
		{Label: "Periods", Chip: s.periods(book)},
		{Label: "Last statement", Chip: s.statement(f, book)},
	}
}

func (s Soundness) balanced(f ui.Format) ui.Chip {
	switch {
	case len(s.Differing) > 0:
		return ui.Chip{Text: "Differ in " + strings.Join(s.Differing, ", "), Tone: ui.Bad}
	case len(s.Currencies) == 0:
		return nothingYet()
	}
	const named = 2
	if len(s.Currencies) > named {
		return ui.Chip{Text: "Balanced, " + f.Plural(len(s.Currencies), "currency", "currencies"), Tone: ui.OK}
	}
	return ui.Chip{Text: "Balanced, " + strings.Join(s.Currencies, ", "), Tone: ui.OK}
}

func nothingYet() ui.Chip { return ui.Chip{Text: "No entry yet", Icon: "circle-dashed"} }

func notYet() ui.Chip { return ui.Chip{Text: "Not recomputed yet", Icon: "clock"} }

func (s Soundness) chain(f ui.Format) ui.Chip {
	switch {
	case !s.Verified:
		return notYet()
	case s.FaultSeq != 0:
		return ui.Chip{Text: "Fault at " + f.Seq(s.FaultSeq), Tone: ui.Bad}
	case s.Entries == 0:
		return nothingYet()
	}
	return ui.Chip{Text: "Whole to " + f.Seq(s.Entries), Tone: ui.OK}
}

func (s Soundness) numbers(f ui.Format, head int64) ui.Chip {
	switch {
	case s.Missing > 0:
		return ui.Chip{Text: f.Number(int(s.Missing)) + " missing", Tone: ui.Bad}
	case head == 0:
		return nothingYet()
	}
	return ui.Chip{Text: "1 to " + f.Number(int(head)), Tone: ui.OK}
}

// totals are compared only once the chain holds.
func (s Soundness) totals() ui.Chip {
	switch {
	case !s.Verified:
		return notYet()
	case s.FaultSeq != 0:
		return ui.Chip{Text: "Not compared", Icon: "circle-minus"}
	case s.Fault != "":
		return ui.Chip{Text: "Differ from postings", Tone: ui.Bad}
	}
	return ui.Chip{Text: "Equal to postings", Tone: ui.OK}
}

func (s Soundness) guards(f ui.Format) ui.Chip {
	switch {
	case !s.Verified:
		return notYet()
	case s.GuardsOff > 0:
		return ui.Chip{Text: f.Number(s.GuardsOff) + " off", Tone: ui.Bad}
	}
	return ui.Chip{Text: "All on", Tone: ui.OK}
}

func (s Soundness) periods(book Book) ui.Chip {
	if s.LastClosed == "" {
		return ui.Chip{Text: "None closed", Icon: "calendar", Href: book.URL("periods")}
	}
	return ui.Chip{Text: "Latest closed: " + string(s.LastClosed), Icon: "lock", Href: book.URL("periods")}
}

func (s Soundness) statement(f ui.Format, book Book) ui.Chip {
	if s.LastStatement == "" {
		return ui.Chip{Text: "None yet", Icon: "calendar", Href: book.URL("statements")}
	}
	return ui.Chip{Text: s.LastStatement + ", " + f.Plural(s.LastStatementDays, "day", "days") + " old", Icon: "calendar", Href: book.URL("statements")}
}
