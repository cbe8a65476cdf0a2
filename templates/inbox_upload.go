package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// InboxUpload is the form for a file of messages, one a line and, once one was taken, what came of it.
type InboxUpload struct {
	Shell
	Form    string
	Message string
	Errors  []ledger.FieldError
	LimitMB int
	// Result is that of the file that was uploaded with this form, nil before.
	Result *InboxFileResult
}

// InboxFileResult counts the lines of a file: Delivered = Applied + Duplicates + Failed. Lines are those that were not applied, the first ones where
// More says that there are others.
type InboxFileResult struct {
	FileName                                        string
	Delivered, Applied, Duplicates, Waiting, Failed int
	Lines                                           []InboxFileLine
	More                                            int
}

// InboxFileLine is a line that was not applied. A message that was kept has a Source and an ID.
type InboxFileLine struct {
	Line               int
	Source, ID, Result string
	Reason             string
}

func (r InboxFileResult) figures(f ui.Format) ui.Figures {
	return ui.Figures{
		{Label: "Lines", Text: f.Number(r.Delivered), Hero: true}, {Label: "Applied", Text: f.Number(r.Applied), Hero: true},
		{Label: "Duplicates, no effect", Text: f.Number(r.Duplicates), Hero: true}, {Label: "Waiting for another", Text: f.Number(r.Waiting), Hero: true},
		{Label: "Not applied", Text: f.Number(r.Failed), Hero: true},
	}
}

func (r InboxFileResult) notice(f ui.Format) ui.Alert {
	switch {
	case r.Failed > 0:
		return ui.Alert{
			Tone: ui.Warn, Title: f.Plural(r.Failed, "line was", "lines were") + " not applied.", Refusal: true,
			Text: "The others were. Correct what is marked “Not kept” and upload the file again: what was applied has no second effect. " +
				"What was kept stands in the inbox: mend what is in its way and retry it there. If the message itself is wrong, send it with a new message id and set the old one aside.",
		}
	case r.Delivered == 0:
		return ui.Alert{Tone: ui.Warn, Title: "The file has no line.", Text: "Is it the right one?", Refusal: true}
	case r.Applied == 0 && r.Waiting == 0:
		return ui.Alert{Tone: ui.OK, Title: "Nothing was new.", Text: "Every line was a message that had been delivered before.", Refusal: true}
	}
	return ui.Alert{Tone: ui.OK, Title: "Every line was taken.", Refusal: true}
}
