package templates

import (
	"strings"
	"time"

	"daybook/recon"
	"daybook/templates/ui"
)

// HistoryStep is something that a person did in a reconciliation: with breaks, with a match, a matching, or a step of its sign-off.
type HistoryStep struct {
	// About is breaks, match, matching or signoff; Event is as recorded.
	About      string
	Event      string
	Resolution recon.Resolution
	Reason     recon.Reason
	Note       string
	By         string
	Assignee   string
	At         time.Time
	// Count is how many breaks, BreakIDs the first of them.
	Count           int
	BreakIDs        []int64
	MatchID         int64
	Lines, Postings int
	Request, Seq    int64
	Version         int
}

// text says what was done.
func (h HistoryStep) text(f ui.Format) string {
	switch h.About {
	case "matching":
		return "Ran the matching"
	case "signoff":
		return signOffSteps[h.Event] + h.versionNote(f)
	case "match":
		return matchSteps[h.Event] + ": " + f.Plural(h.Lines, "line of the bank", "lines of the bank") + ", " + f.Plural(h.Postings, "posting", "postings")
	}
	breaks := f.Plural(h.Count, "break", "breaks")
	switch h.Event {
	case "resolved":
		return "Resolved " + breaks + ": " + h.Resolution.Label()
	case "assigned":
		if h.Assignee == "" {
			return "Gave " + breaks + " to nobody"
		}
		return "Gave " + breaks + " to " + h.Assignee
	case "requested":
		return "Asked for approval of an entry for " + breaks
	}
	return breakSteps[h.Event] + " " + breaks
}

func (h HistoryStep) versionNote(f ui.Format) string {
	if h.Version < 2 {
		return ""
	}
	return ", version " + f.Number(h.Version)
}

var (
	signOffSteps = map[string]string{"submitted": "Submitted for sign-off", "returned": "Took it back", "signed_off": "Signed off", "reopened": "Reopened"}
	matchSteps   = map[string]string{"made": "Matched by hand", "reduced": "Took part of a match out", "unmatched": "Took a match apart"}
	breakSteps   = map[string]string{"reopened": "Reopened", "commented": "Commented", "returned": "Opened again after a request"}
)

func (h HistoryStep) detail() string {
	note := h.Note
	if note != "" {
		note = "“" + note + "”"
	}
	reason := ""
	if h.Reason != "" {
		reason = h.Reason.Label()
	}
	return joined(reason, note)
}

// links name the breaks, the request and the entry that it has to do with.
func (h HistoryStep) links(book Book, f ui.Format) []ui.Link {
	var links []ui.Link
	for _, id := range h.BreakIDs {
		links = append(links, ui.Link{Text: NameOfBreak(id), Href: book.BreakURL(id)})
	}
	if h.Request != 0 {
		links = append(links, ui.Link{Text: NameOfApproval(h.Request), Href: book.RequestURL(h.Request)})
	}
	if h.Seq != 0 {
		links = append(links, ui.Link{Text: f.Seq(h.Seq), Href: book.EntryURL(h.Seq)})
	}
	return links
}

// more says how many breaks are not named.
func (h HistoryStep) more(f ui.Format) string {
	if more := h.Count - len(h.BreakIDs); more > 0 {
		return strings.TrimSpace("and " + f.Number(more) + " more")
	}
	return ""
}
