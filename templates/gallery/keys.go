package gallery

import (
	"time"

	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func keysScreens() []Screen {
	stuck := keys()
	stuck.Theme, stuck.Filter, stuck.Open, stuck.MayRelease = "dark", templates.KeysFilter{Key: "pay_20888-capture"}, stuckKey(), true
	refused := stuck
	refused.Errors = []ledger.FieldError{{Field: "reason", Detail: "Reason is missing"}}
	looked := stuck
	looked.Theme, looked.MayRelease = "light", false
	clashes := keys()
	clashes.Filter, clashes.Live, clashes.Rows, clashes.Open = templates.KeysFilter{State: templates.KeysClashed}, nil, nil, nil
	clashes.Clashes, clashes.ClashesFound, clashes.Older = keyClashes(), 3, ""
	settled := keys()
	settled.Live, settled.Totals.Running, settled.Totals.Stuck, settled.Filter, settled.Open = nil, 0, 0, templates.KeysFilter{Key: "ord-20881"}, settledKey()
	settled.Nav.StuckKeys = 0
	nothing := settled
	nothing.Filter, nothing.Rows, nothing.Open, nothing.Older = templates.KeysFilter{Query: "ord-99999", Who: "webshop", State: templates.KeysRetried}, nil, nil, ""
	empty := nothing
	empty.Filter, empty.Totals = templates.KeysFilter{}, templates.KeyFigures{}
	return []Screen{
		{"keys", "Keys, a clash field by field", groupMachines, templates.KeysPage(keys())},
		{"keys-stuck", "Keys, a stuck claim before it is released, in the dark", groupMachines, templates.KeysPage(stuck)},
		{"keys-refused", "Keys: a release without a reason", groupMachines, templates.KeysPage(refused)},
		{"keys-looked-at", "Keys, a stuck claim for who may not release it", groupMachines, templates.KeysPage(looked)},
		{"keys-settled", "Keys, a settled one whole", groupMachines, templates.KeysPage(settled)},
		{"keys-clashes", "Keys: the clashes", groupMachines, templates.KeysPage(clashes)},
		{"keys-none", "Keys: nothing found", groupMachines, templates.KeysPage(nothing)},
		{"drill", "The drill before it runs", groupMachines, templates.DrillPage(drill())},
		{"drill-running", "The drill while it runs", groupMachines, templates.DrillPage(drillRunning())},
		{"drill-held", "The drill: the claim held", groupMachines, templates.DrillPage(drilled())},
		{"drill-failed", "The drill: the claim did not hold", groupMachines, templates.DrillPage(drillFailed())},
		{"keys-empty", "Keys before the first request", groupMachines, templates.KeysPage(empty)},
	}
}

func keys() templates.Keys {
	s := shell("Keys", templates.PageKeys)
	s.Nav.StuckKeys = 1
	row := func(key, request, who, settled string, asked, seq int64) templates.KeyRow {
		return templates.KeyRow{Key: key, Request: request, Who: who, SettledAt: at(settled), KeptUntil: at(settled).AddDate(0, 0, 30), Asked: asked, Seq: seq}
	}
	view := templates.Keys{
		Shell: s, Form: "0195f0aa-0000-7000-8000-0000000000aa", Filter: templates.KeysFilter{Key: "ord-20877"}, Open: clashedKey(), Older: "2026-04-30T18:56:46Z ord-20879",
		Totals:    templates.KeyFigures{Settled: 1688, Running: 2, Stuck: 1, Clashes: 3, Retries: 412},
		Retention: templates.KeyRetention{Days: 30, Typed: "30"},
		Live: []templates.LiveKey{
			{Key: "pay_20888-capture", Request: "Capture payment", Who: "webshop-api", Owner: "till-2:4711", Attempt: 1, Age: 11 * time.Minute, LeaseUntil: at("2026-04-01T09:31:32Z"), Stuck: true},
			{Key: "pay_20890-capture", Request: "Capture payment", Who: "webshop-api", Owner: "till-1:4688", Attempt: 2, Age: 20 * time.Second, LeaseUntil: at("2026-04-01T09:42:25Z")},
			{Key: "pay_20891-authorize", Request: "Authorize payment", Who: "webshop-api", Owner: "till-1:4688", Attempt: 1, Age: 9 * time.Second, LeaseUntil: at("2026-04-01T09:42:28Z")},
		},
		Rows: []templates.KeyRow{
			row("form-51d0-4c9e-b7aa", "Request reversal", "Tom de Wit", "2026-04-01T09:20:11Z", 2, 0),
			row("ord-20882", "Post entry", "webshop-api", "2026-03-31T21:33:42Z", 1, 1689),
			row("ord-20881", "Post entry", "webshop-api", "2026-03-31T20:52:06Z", 3, 1688),
			row("ord-20877", "Post entry", "webshop-api", "2026-03-31T16:14:42Z", 1, 1684),
			row("ord-20310-from-the-checkout-of-the-fair-in-march", "Post entry", "webshop-api", "2026-03-01T09:12:02Z", 1, 1151),
		},
	}
	view.Rows[3].Clashed, view.Rows[4].Expired = true, true
	return view
}

func clashedKey() *templates.KeyView {
	both := func(field, value string) ledger.ClashField {
		return ledger.ClashField{Field: field, First: value, Sent: value, HadFirst: true, HasSent: true}
	}
	differs := func(field, first, sent string) ledger.ClashField {
		return ledger.ClashField{Field: field, First: first, Sent: sent, HadFirst: true, HasSent: true}
	}
	return &templates.KeyView{
		Key: "ord-20877", Entry: 1684,
		Chips: []ui.Chip{{Text: "Settled", Tone: ui.OK}, {Text: "Clash, refused", Tone: ui.Bad}},
		Facts: ui.KeyValue{
			{Name: "Request", Text: "Post entry"}, {Name: "Sent by", Text: "webshop@kiln.test"}, {Name: "Settled", Text: "2026-03-31 16:14:42 UTC"},
			{Name: "Entry", Text: "#1,684", Href: "/b/main/journal/1684"}, {Name: "Attempt", Text: "1"}, {Name: "Retries absorbed", Text: "0"},
			{Name: "Fingerprint", Text: "b2e1aa7d…40af", Mono: true}, {Name: "Kept until", Text: "2026-04-30"},
		},
		Clash: &templates.KeyClash{
			FirstAt: at("2026-03-31T16:14:42Z"), At: at("2026-03-31T22:58:13Z"), FirstWho: "webshop@kiln.test", Who: "webshop@kiln.test",
			FirstRequest: "Post entry", Request: "Post entry", FirstOutcome: ui.Link{Text: "Entry #1,684", Href: "/b/main/journal/1684"},
			Fields: []ledger.ClashField{
				differs("postings[0].amount", "13150", "11350"), differs("postings[1].amount", "-10868", "-9380"), differs("postings[2].amount", "-2282", "-1970"),
				{Field: "metadata.channel", Sent: "web", HasSent: true}, both("description", "Web shop order 20877"), both("effective_on", "2026-03-31"), both("tx_id", "ord-20877"),
			},
		},
		Others: []ui.Link{{Text: "2026-03-31 22:41:07, webshop-api", Href: "/b/main/keys?clash=2&key=ord-20877&state=clash#key"}},
	}
}

func stuckKey() *templates.KeyView {
	return &templates.KeyView{
		Key: "pay_20888-capture", Release: 1, Chips: []ui.Chip{{Text: "Past its lease", Tone: ui.Warn}},
		Facts: ui.KeyValue{
			{Name: "Request", Text: "Capture payment"}, {Name: "Sent by", Text: "webshop@kiln.test"}, {Name: "Owner", Text: "till-2:4711"},
			{Name: "Claimed", Text: "2026-04-01 09:31:02 UTC"}, {Name: "Age", Text: "11 min"}, {Name: "Lease until", Text: "2026-04-01 09:31:32 UTC"},
			{Name: "Attempt", Text: "1"}, {Name: "Retries absorbed", Text: "5"}, {Name: "Fingerprint", Text: "7d0915e3…c13e", Mono: true},
		},
		Asked: []ledger.ClashField{{Field: "amount", First: "4500", HadFirst: true}, {Field: "payment", First: "pay_20888", HadFirst: true}},
	}
}

func settledKey() *templates.KeyView {
	return &templates.KeyView{
		Key: "ord-20881", Entry: 1688, Chips: []ui.Chip{{Text: "Settled", Tone: ui.OK}},
		Facts: ui.KeyValue{
			{Name: "Request", Text: "Post entry"}, {Name: "Sent by", Text: "webshop@kiln.test"}, {Name: "Settled", Text: "2026-03-31 20:52:06 UTC"},
			{Name: "Entry", Text: "#1,688", Href: "/b/main/journal/1688"}, {Name: "Retries absorbed", Text: "2"}, {Name: "Kept until", Text: "2026-04-30"},
		},
		Asked: []ledger.ClashField{
			{Field: "description", First: "Web shop order 20881", HadFirst: true}, {Field: "postings[0].account", First: "1210", HadFirst: true},
			{Field: "postings[0].amount", First: "8900", HadFirst: true}, {Field: "tx_id", First: "ord-20881", HadFirst: true},
		},
	}
}

func keyClashes() []templates.ClashRow {
	return []templates.ClashRow{
		{ID: 3, Key: "ord-20877", Request: "Post entry", At: at("2026-03-31T22:58:13Z"), Who: "webshop-api", FirstWho: "webshop@kiln.test", FirstAt: at("2026-03-31T16:14:42Z"), FirstSeq: 1684,
			Differing: []string{"postings[0].amount", "postings[1].amount", "postings[2].amount"}},
		{ID: 2, Key: "form-77aa-41c2-9e10", Request: "Invite person", At: at("2026-03-29T11:05:40Z"), Who: "Joris Aalbers", FirstWho: "joris@kiln.test", FirstAt: at("2026-03-29T11:02:12Z"), Private: true},
		{ID: 1, Key: "pay_20711-capture", Request: "Capture payment", At: at("2026-03-28T17:20:02Z"), Who: "webshop-api", FirstWho: "webshop@kiln.test", Differing: []string{"amount"}},
	}
}
