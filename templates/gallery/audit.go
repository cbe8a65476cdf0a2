package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func auditScreens() []Screen {
	found := audit()
	found.Theme, found.Open, found.Newer = "dark", "", found.Rows[0].ID
	found.Filter = templates.AuditFilter{Query: "#1,355", Actor: "tom", Action: "entry.post", Outcome: "refused", From: "2026-03-01", To: "2026-04-01", Before: found.Rows[0].ID}
	nothing := audit()
	nothing.Filter.Actor, nothing.Rows, nothing.Total, nothing.Refused, nothing.Older = "nobody", nil, 0, 0, ""
	wrong := nothing
	wrong.Filter = templates.AuditFilter{From: "2026-04-02", To: "2026-04-01"}
	wrong.Errors = []ledger.FieldError{{Field: "from", Detail: "This day is after the last one, 2026-04-01"}}
	empty := audit()
	empty.Rows, empty.Total, empty.Refused, empty.Older = nil, 0, 0, ""
	return []Screen{
		{"audit", "Audit log, one attempt open", groupControl, templates.AuditPage(audit())},
		{"audit-filtered", "Audit log, filtered, in the dark", groupControl, templates.AuditPage(found)},
		{"audit-none", "Audit log: nothing found", groupControl, templates.AuditPage(nothing)},
		{"audit-refused", "Audit log: a filter that cannot be read", groupControl, templates.AuditPage(wrong)},
		{"audit-empty", "Audit log before the first attempt", groupControl, templates.AuditPage(empty)},
	}
}

func audit() templates.Audit {
	s := shell("Audit", templates.PageAudit)
	s.Nav.MayAudit = true
	row := func(id, moment, who, action string, object ui.Link, detail string, outcome templates.AuditOutcome, address string) templates.AuditRow {
		return templates.AuditRow{
			ID: "0195f0aa-0000-7000-8000-0000000000" + id, At: at(moment), Who: who, Action: action, Object: object, Detail: detail, Outcome: outcome, Address: address,
			Facts: ui.KeyValue{{Name: "Action", Text: action}, {Name: "Request", Text: "0195f0aa-7b1c-7000-8000-00000000q7f3", Mono: true, Copy: true}},
		}
	}
	request := func(n int64) ui.Link {
		return ui.Link{Text: "Request " + ui.Format{}.Number(int(n)), Href: s.Book.RequestURL(n)}
	}
	return templates.Audit{
		Shell: s, Total: 8412, Refused: 37, Older: "0195f0aa-0000-7000-8000-000000000007", Open: "0195f0aa-0000-7000-8000-000000000001",
		Actions: []ui.Option{{Text: "Any"}, {Value: "sign-in", Text: "Sign in"}, {Value: "entry.post", Text: "Post entry"}},
		Rows: []templates.AuditRow{
			row("01", "2026-04-01T09:42:07Z", "Tom de Wit", "Approve", request(62), "You requested this; another person must approve", templates.AuditRefused, "10.4.0.17"),
			row("02", "2026-04-01T09:20:11Z", "Tom de Wit", "Request reversal", ui.Link{Text: "Entry #1,355", Href: s.Book.EntryURL(1355)}, "Request 62", templates.AuditDone, "10.4.0.17"),
			row("03", "2026-04-01T08:30:44Z", "Ana Ruiz", "Upload statement", ui.Link{Text: "Statement 31", Href: s.Book.ReconciliationURL(31)}, "Account 1010, File nordbank_1010_2026-03.csv", templates.AuditDone, "10.4.0.12"),
			row("04", "2026-04-01T08:12:30Z", "Joris Aalbers", "Sign in", ui.Link{Text: "joris@kiln.test"}, "", templates.AuditDone, "10.4.0.3"),
			row("05", "2026-03-31T22:58:13Z", "webshop-api", "Post entry", ui.Link{Text: "New entry"}, "Something broke on our side. The server's log has it under the request.", templates.AuditFailed, "10.4.1.20"),
			row("06", "2026-03-31T16:08:45Z", "Maja Lind", "Post entry", ui.Link{Text: "New entry"}, "EUR debits are 960.00 and credits 959.50", templates.AuditRefused, "10.4.0.14"),
			row("07", "2026-03-30T09:14:00Z", "Operator, by command", "Grant role", ui.Link{Text: "Femke Bos"}, "Role auditor", templates.AuditDone, ""),
		},
	}
}
