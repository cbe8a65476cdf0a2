package gallery

import (
	"strings"

	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// What the web shop and the payment processor sent in the week before 1 April 2026.

func inboxScreens() []Screen {
	waiting := inbox()
	waiting.Theme, waiting.Open = "dark", waitingMessage()
	waiting.Filter = templates.InboxFilter{Of: "payport", ID: "evt_90409", State: templates.InboxWaiting}
	refused := inbox()
	refused.Open.Errors = []ledger.FieldError{{Field: "reason", Detail: "Reason is missing"}}
	refused.Errors = refused.Open.Errors
	applied := inbox()
	applied.Open, applied.Filter = appliedMessage(), templates.InboxFilter{Of: "payport", ID: "evt_90408"}
	looked := inbox()
	looked.MayPost, looked.Open.MissingRight = false, "post"
	for i := range looked.Rows {
		looked.Rows[i].Retry = ""
	}
	odd := inbox()
	odd.Open, odd.Filter = unreadableMessage(), templates.InboxFilter{Of: unreadableMessage().Source, ID: unreadableMessage().ID}
	odd.Rows = append([]templates.InboxRow{{Source: odd.Open.Source, ID: odd.Open.ID, Type: odd.Open.Type, ReceivedAt: odd.Open.ReceivedAt, Deliveries: 1, State: templates.InboxParked,
		Reason: odd.Open.Problem.Text, Retry: "form-77"}}, odd.Rows[:3]...)
	short := inbox()
	short.Figures.Applied--
	short.Open = nil
	nothing := short
	nothing.Rows, nothing.Older, nothing.Filter = nil, "", templates.InboxFilter{Query: "evt_99999", Source: "elsewhere", State: templates.InboxFailed, Repeated: "yes"}
	clear := nothing
	clear.Filter, clear.Figures = templates.InboxFilter{State: templates.InboxParked}, templates.InboxFigures{Days: 7, Deliveries: 4, Applied: 3, Duplicates: 1}
	empty := clear
	empty.Filter, empty.Figures, empty.Sources = templates.InboxFilter{}, templates.InboxFigures{Days: 7}, nil
	return []Screen{
		{"inbox", "Inbox, a message that is parked", groupMachines, templates.InboxPage(inbox())},
		{"inbox-waiting", "Inbox, a message that waits for another, in the dark", groupMachines, templates.InboxPage(waiting)},
		{"inbox-refused", "Inbox: set aside without a reason", groupMachines, templates.InboxPage(refused)},
		{"inbox-applied", "Inbox, a message that came twice", groupMachines, templates.InboxPage(applied)},
		{"inbox-looked-at", "Inbox for who may not act on it", groupMachines, templates.InboxPage(looked)},
		{"inbox-unreadable", "Inbox, a message that cannot be read, with long names", groupMachines, templates.InboxPage(odd)},
		{"inbox-short", "Inbox: deliveries that are not accounted for", groupMachines, templates.InboxPage(short)},
		{"inbox-none", "Inbox: nothing found", groupMachines, templates.InboxPage(nothing)},
		{"inbox-clear", "Inbox: nothing is parked", groupMachines, templates.InboxPage(clear)},
		{"inbox-empty", "Inbox before the first message", groupMachines, templates.InboxPage(empty)},
		{"inbox-upload", "A file of messages, to be uploaded", groupMachines, templates.InboxUploadPage(inboxUpload())},
		{"inbox-upload-refused", "A file of messages that is none", groupMachines, templates.InboxUploadPage(inboxUploadRefused())},
		{"inbox-uploaded", "A file of messages, some of them not applied", groupMachines, templates.InboxUploadPage(inboxUploaded())},
	}
}

func inboxRow(source, id, kind, received, state string, deliveries int, seq int64) templates.InboxRow {
	return templates.InboxRow{Source: source, ID: id, Type: kind, ReceivedAt: at(received), State: state, Deliveries: deliveries, Seq: seq}
}

func inbox() templates.Inbox {
	s := shell("Inbox", templates.PageInbox)
	s.Nav.InboxUnapplied = 2
	view := templates.Inbox{
		Shell: s, Filter: templates.InboxFilter{Of: "payport", ID: "evt_90412"}, Open: parkedMessage(), Older: "2026-03-31T06:10:04Z payport evt_90399", MayPost: true, Retry: "form-00",
		Figures: templates.InboxFigures{Days: 7, Deliveries: 1204, Applied: 1116, Duplicates: 85, Waiting: 1, Failed: 1, Parked: 1, Stuck: 2},
		Sources: []templates.InboxSource{
			{Source: "payport", Messages: 562, Duplicates: 79, Unapplied: 3, LastAt: at("2026-04-01T09:42:10Z")},
			{Source: "webshop", Messages: 557, Duplicates: 6, LastAt: at("2026-04-01T09:29:59Z")},
		},
		Rows: []templates.InboxRow{
			inboxRow("payport", "evt_90412", "payout.paid", "2026-04-01T09:42:10Z", templates.InboxParked, 3, 0),
			inboxRow("payport", "evt_90411", "payment.refunded", "2026-04-01T09:38:51Z", templates.InboxFailed, 2, 0),
			inboxRow("payport", "evt_90409", "payment.captured", "2026-04-01T09:31:30Z", templates.InboxWaiting, 1, 0),
			inboxRow("payport", "evt_90408", "payment.captured", "2026-04-01T09:30:02Z", templates.InboxApplied, 2, 1706),
			inboxRow("webshop", "ord-20889/paid", "entry.post", "2026-04-01T09:29:59Z", templates.InboxApplied, 1, 1705),
			inboxRow("payport", "evt_90407", "payment.captured", "2026-04-01T09:12:40Z", templates.InboxApplied, 1, 1704),
			inboxRow("webshop", "ord-20887/paid", "entry.post", "2026-04-01T09:12:37Z", templates.InboxApplied, 1, 1703),
			inboxRow("webshop", "ord-20882/paid", "entry.post", "2026-03-31T21:33:42Z", templates.InboxDismissed, 1, 0),
			inboxRow("payport", "evt_90399", "payout.paid", "2026-03-31T06:10:04Z", templates.InboxApplied, 3, 1673),
		},
	}
	view.Rows[0].Reason, view.Rows[0].Retry = "The book has no account “1215”", "form-01"
	view.Rows[1].Reason, view.Rows[1].Retry, view.Rows[1].Payment = "Period 2026-02 is closed", "form-02", 20640
	view.Rows[2].Reason, view.Rows[2].Retry, view.Rows[2].Payment = "Waits for its authorization", "form-03", 20890
	view.Rows[3].Payment, view.Rows[5].Payment = 20889, 20888
	for _, row := range []int{1, 3, 5} {
		view.Rows[row].PaymentKnown = true
	}
	view.Rows[7].Reason = "Posted by hand as #1,690"
	return view
}

func parkedMessage() *templates.MessageView {
	return &templates.MessageView{
		Source: "payport", ID: "evt_90412", Type: "payout.paid", State: templates.InboxParked, Way: "webhook", Deliveries: 3, Tries: 8, ReceivedBy: "payport",
		ReceivedAt: at("2026-04-01T09:42:10Z"), Retry: "form-04", Dismiss: "form-05",
		Problem: &templates.MessageProblem{
			Text: "The book has no account “1215”.", Kind: "unknown-account", Status: 422,
			Fields: []ledger.FieldError{{Field: "postings[2].account", Detail: "the book has no account “1215”"}},
		},
		Data: "{\n  \"payout\": \"po-0401\",\n  \"amount\": 172044,\n  \"currency\": \"EUR\",\n  \"fee\": 0,\n  \"paid_on\": \"2026-04-01\"\n}",
		Events: []templates.MessageEvent{
			{Event: "delivered", Way: "webhook", Result: templates.InboxFailed, Problem: "the book has no account “1215”", By: "payport", At: at("2026-04-01T09:42:10Z")},
			{Event: "delivered", Way: "webhook", Result: templates.InboxDuplicate, By: "payport", At: at("2026-04-01T09:42:40Z")},
			{Event: "tried", Result: templates.InboxParked, Problem: "the book has no account “1215”", By: "Daybook", At: at("2026-04-01T09:57:10Z")},
		},
	}
}

func waitingMessage() *templates.MessageView {
	return &templates.MessageView{
		Source: "payport", ID: "evt_90409", Type: "payment.captured", State: templates.InboxWaiting, Way: "broker", Deliveries: 1, Tries: 2, Payment: 20890, ReceivedBy: "payport",
		ReceivedAt: at("2026-04-01T09:31:30Z"), NextAt: at("2026-04-01T09:43:30Z"), Retry: "form-04", Dismiss: "form-05",
		Problem: &templates.MessageProblem{Text: "A capture of a payment that is created waits for its authorization.", Kind: "illegal-transition", Status: 409},
		Data:    "{\n  \"payment_id\": 20890,\n  \"ref\": \"cp_77\",\n  \"amount\": 4500\n}",
		Events:  []templates.MessageEvent{{Event: "delivered", Way: "broker", Result: templates.InboxWaiting, By: "payport", At: at("2026-04-01T09:31:30Z")}},
	}
}

func appliedMessage() *templates.MessageView {
	return &templates.MessageView{
		Source: "payport", ID: "evt_90408", Type: "payment.captured", State: templates.InboxApplied, Way: "webhook", Deliveries: 2, Seq: 1706, Payment: 20889, PaymentKnown: true, ReceivedBy: "payport",
		ReceivedAt: at("2026-04-01T09:30:02Z"), Data: "{\n  \"payment_id\": 20889,\n  \"ref\": \"cp_76\",\n  \"amount\": 9600,\n  \"fee\": 169\n}",
		Events: []templates.MessageEvent{
			{Event: "delivered", Way: "webhook", Result: templates.InboxApplied, By: "payport", At: at("2026-04-01T09:30:02Z")},
			{Event: "delivered", Way: "webhook", Result: templates.InboxDuplicate, By: "payport", At: at("2026-04-01T09:30:04Z")},
			{Event: "delivered", Way: "file", Result: templates.InboxReused, Problem: "the message came before with other data", By: "Tom de Wit", At: at("2026-04-01T09:40:04Z")},
		},
	}
}

// unreadableMessage has a source, an id and data that are as long as they may be on one line.
func unreadableMessage() *templates.MessageView {
	return &templates.MessageView{
		Source: "urn:kiln:warehouse:amsterdam-noord:packing-line-3:label-printer", ID: strings.Repeat("0195f0aa-7000-", 12), Type: "unreadable", State: templates.InboxParked, Way: "broker",
		Deliveries: 1, ReceivedBy: "Broker", ReceivedAt: at("2026-04-01T09:41:00Z"), Retry: "form-04", Dismiss: "form-05",
		Problem: &templates.MessageProblem{Text: "The message is not a JSON object.", Kind: "invalid", Status: 422},
		Data:    "\"" + strings.Repeat("<paid order=20889/>", 20) + "\"",
		Events:  []templates.MessageEvent{{Event: "delivered", Way: "broker", Result: templates.InboxParked, Problem: "the message is not a JSON object", By: "Broker", At: at("2026-04-01T09:41:00Z")}},
	}
}

func inboxUpload() templates.InboxUpload {
	s := shell("Upload messages", templates.PageInbox)
	return templates.InboxUpload{Shell: crumbed(s, ui.Link{Text: "Inbox", Href: s.Book.URL("inbox")}), Form: "form-06", LimitMB: 32}
}

func inboxUploadRefused() templates.InboxUpload {
	v := inboxUpload()
	v.Errors = []ledger.FieldError{{Field: "file", Detail: "Choose a file"}}
	return v
}

func inboxUploaded() templates.InboxUpload {
	v := inboxUpload()
	v.Result = &templates.InboxFileResult{
		FileName: "orders-2026-03-31.ndjson", Delivered: 412, Applied: 398, Duplicates: 9, Waiting: 1, Failed: 4, More: 1,
		Lines: []templates.InboxFileLine{
			{Line: 17, Source: "webshop", ID: "ord-20882/paid", Result: templates.InboxFailed, Reason: "The book has no account “4011”"},
			{Line: 204, Result: templates.InboxParked, Reason: "The line is not a JSON object"},
			{Line: 205, Source: "webshop", ID: "ord-20889/paid", Result: templates.InboxReused, Reason: "The message came before with other data: amount"},
		},
	}
	return v
}
