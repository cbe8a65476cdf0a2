package templates

import (
	"strings"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// ResolveForm is the form that settles an open break, with what was typed when it was refused.
type ResolveForm struct {
	Form       string
	Resolution recon.Resolution
	Reason     recon.Reason
	Note       string
	// Allowed are the resolutions that this break can have now, in order.
	Allowed []recon.Resolution
	Entry   SettlingEntry
	Message string
	Errors  []ledger.FieldError
	// Practice is what was done with all similar breaks, and is proposed here.
	Practice Practice
}

// SettlingEntry is the entry that an adjustment or a write-off posts, as typed.
type SettlingEntry struct {
	EffectiveOn, Description, Reference string
	Lines                               []ui.Line
	Accounts                            []ui.AccountChoice
	// Waits says that it waits for another person; Because, whole, says why or why not.
	Waits   bool
	Because string
	// Preview is the entry as it would be posted; nil until it was asked for.
	Preview *EntryPreview
}

// EntryPreview is an entry as it would be posted now.
type EntryPreview struct {
	TxID, Description, Reference string
	EffectiveOn                  ledger.Date
	Postings                     []ui.Posting
	Waits                        bool
}

// Practice is what people did with all of so many similar breaks.
type Practice struct {
	Breaks     int
	Resolution recon.Resolution
	Reason     recon.Reason
	Contra     []string
}

// sentence says what is proposed, and after whom; empty for nothing.
func (p Practice) sentence(f ui.Format) string {
	if p.Breaks == 0 {
		return ""
	}
	text := "Proposed as it was done with " + f.Plural(p.Breaks, "similar break", "similar breaks") + ": " + strings.ToLower(p.Resolution.Label()) + ", " + strings.ToLower(p.Reason.Label())
	if len(p.Contra) > 0 {
		text += ", against " + strings.Join(p.Contra, " and ")
	}
	return text + "."
}

// when says in a few words when it takes effect.
func (e SettlingEntry) when() string {
	if e.Waits {
		return "Another person approves it"
	}
	return "It is posted at once"
}

// posts says whether an entry goes with a resolution.
func posts(r recon.Resolution) bool { return r == recon.Adjusted || r == recon.WrittenOff }

// mayPost says whether the break can be settled with an entry.
func (r ResolveForm) mayPost() bool {
	for _, how := range r.Allowed {
		if posts(how) {
			return true
		}
	}
	return false
}

// choices are the resolutions this break can have, each with what it means.
func (v Break) choices() ui.Radios {
	r := ui.Radios{Name: "resolution", Legend: "How", Hotkey: "r", Value: string(v.Resolve.Resolution), Error: ui.ErrorOf(v.Resolve.Errors, "resolution")}
	for _, how := range v.Resolve.Allowed {
		r.Choices = append(r.Choices, v.choice(how))
	}
	return r
}

func (v Break) choice(how recon.Resolution) ui.Choice {
	c := ui.Choice{Value: string(how), Text: how.Label(), Hint: resolutionWords[how].meaning}
	switch how {
	case recon.MatchedByHand:
		c.Text, c.Hint = "Match", "What the break holds adds up by itself"
		if len(v.Candidates) > 0 {
			c.Hint = "With the first candidate, " + v.Candidates[0].Items[0].where(v.Format)
		}
	case recon.Adjusted:
		c.Text, c.Hint = "Post an adjusting entry", "Preview it below. "+v.Resolve.Entry.when()
	case recon.WrittenOff:
		c.Text, c.Hint = "Write off", c.Hint+". "+v.Resolve.Entry.when()
	case recon.CarriedForward:
		c.Text = "Carry forward"
	case recon.Reversed:
		c.Text, c.Hint = "Reversed", "Its entry and the reversal cancel"
	}
	return c
}

// entryErrors are those of the fields of the entry as the form names them.
func (r ResolveForm) entryErrors() []ledger.FieldError {
	return ui.TypedErrors("entry.", r.Entry.Lines, r.Errors)
}

func (r ResolveForm) editor() ui.Editor {
	return ui.Editor{Prefix: "entry.", Caption: "Postings of the entry", Lines: r.Entry.Lines, Accounts: r.Entry.Accounts, Errors: r.entryErrors()}
}

func (p EntryPreview) note(f ui.Format) string {
	return joined(f.Day(p.EffectiveOn), p.Description, p.Reference, p.TxID)
}

func (r ResolveForm) reasonField() ui.Field {
	field := ui.Field{Name: "reason_code", Label: "Reason code", Value: string(r.Reason), Options: reasonOptions(), Required: true, Error: ui.ErrorOf(r.Errors, "reason_code")}
	for _, how := range r.Allowed {
		if how == recon.MatchedByHand || how == recon.Reversed {
			field.Required, field.Hint = false, "Needed for all but a match or a reversal"
		}
	}
	return field
}

// meaning is what its resolution means for this break: where a match or a reversal ended it, that.
func (v Break) meaning() string {
	for i := len(v.Events) - 1; i >= 0 && v.Status.Resolution == recon.Superseded; i-- {
		switch e := v.Events[i]; {
		case e.Event == "superseded" && e.Match != 0 && e.Seq != 0:
			return "Its entry was reversed, and a later matching matched the two"
		case e.Event == "superseded" && e.Match != 0:
			return "A later matching matched all of it"
		}
	}
	return resolutionWords[v.Status.Resolution].meaning
}

// settledBy is what the break was settled with, or waits for: an entry, a request.
func (v Break) settledBy() (links []ui.Link) {
	for i := len(v.Events) - 1; i >= 0; i-- {
		e := v.Events[i]
		switch {
		case e.Event == "reopened" || e.Event == "returned":
			return links
		case e.Event == "requested" && v.Status.Status == recon.WaitingForApproval:
			return append(links, ui.Link{Text: "Request " + NameOfApproval(e.Request), Href: v.Book.RequestURL(e.Request)})
		case (e.Event == "resolved" || e.Event == "superseded") && e.Seq != 0:
			return append(links, ui.Link{Text: "Entry " + v.Format.Seq(e.Seq), Href: v.Book.EntryURL(e.Seq)})
		}
	}
	return links
}
