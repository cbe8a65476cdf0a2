package gallery

import (
	"daybook/templates"
)

func errorScreens() []Screen {
	return []Screen{
		{"error-403", "Not allowed", groupErrors, templates.ErrorView(forbiddenPage())},
		{"error-404", "Not found", groupErrors, templates.ErrorView(templates.ErrorPage{Shell: shell("Not found", ""), Status: 404, Title: "There is no entry #9,999 in book main", Detail: "The book ends at #1,706."})},
		{"error-409", "Someone else was faster", groupErrors, templates.ErrorView(templates.ErrorPage{Shell: shell("Conflict", ""), Status: 409})},
		{"error-422", "Refused", groupErrors, templates.ErrorView(templates.ErrorPage{Shell: shell("Refused", ""), Status: 422})},
		{"error-500", "Broken", groupErrors, templates.ErrorView(templates.ErrorPage{Status: 500, Request: "q7f3e1"})},
	}
}

func forbiddenPage() templates.ErrorPage {
	return templates.ErrorPage{
		Shell: shell("Not allowed", ""), Status: 403, Title: "You may not post entries in book main", Request: "q7f3d8",
		Detail: "This needs the right Prepare, part of the role Preparer. Your role in this book is Viewer. Nothing was changed; the attempt is in the audit log.",
		Rights: []templates.Right{{Name: "Read", Held: true}, {Name: "Prepare"}, {Name: "Decide"}, {Name: "Administer"}},
	}
}
