package gallery

import (
	"daybook/templates"
	"daybook/templates/ui"
)

func errorScreens() []Screen {
	page := func(name, title string, p templates.ErrorPage) Screen {
		return Screen{name, title, groupErrors, templates.ErrorView(p)}
	}
	signedIn := func(status int, title string) templates.ErrorPage {
		return templates.ErrorPage{Shell: shell(title, ""), Status: status, Request: "q7f3d8"}
	}
	missing, changed := signedIn(404, "Not found"), signedIn(409, "Conflict")
	late, broken := signedIn(503, "Busy"), signedIn(500, "Internal error")
	missing.Title, missing.Detail = "There is no entry #9,999 in book main", "The book ends at #1,706."
	missing.Back = ui.Link{Text: "Back to where you were", Href: "/b/main/journal/1163"}
	changed.Detail = "Ana Ruiz resolved B-318 at 09:41, while you had it open. Your change was not saved."
	changed.Back = ui.Link{Text: "See what it is now", Href: "/b/main/breaks/318"}
	again := ui.Link{Text: "Load the page again", Href: "/b/main/balances"}
	late.Back, broken.Back = again, again
	return []Screen{
		page("error-403", "Not allowed", forbiddenPage()),
		page("error-404", "Not found", missing),
		page("error-409", "Someone else was faster", changed),
		page("error-405", "Not taken at this address", signedIn(405, "Not allowed here")),
		page("error-413", "Too large", signedIn(413, "Too large")),
		page("error-422", "Refused", signedIn(422, "Refused")),
		page("error-429", "Too many attempts", templates.ErrorPage{Status: 429, Request: "q7f3e0"}),
		page("error-500-inside", "Broken, inside a book", broken),
		page("error-503", "Busy", late),
		page("error-500", "Broken", templates.ErrorPage{Status: 500, Request: "q7f3e1"}),
		page("error-401", "Not signed in", templates.ErrorPage{
			Status: 401, Title: "You are not signed in", Detail: "The session has ended.", Do: "Sign in, then open the page again.", Request: "q7f3e2",
			Back: ui.Link{Text: "Sign in", Href: "/login?next=%2Fb%2Fmain%2Fjournal"},
		}),
	}
}

func forbiddenPage() templates.ErrorPage {
	return templates.ErrorPage{
		Shell: shell("Not allowed", ""), Status: 403, Title: "You may not post entries in book main", Request: "q7f3d8",
		Detail:         "This needs the right Prepare, part of the role Preparer. Your role in this book is Viewer.",
		Do:             "Nothing was changed. The attempt is in the audit log.",
		Administrators: []string{"Joris Aalbers"}, Back: ui.Link{Text: "Back to where you were", Href: "/b/main/journal"},
		Rights: []templates.Right{{Name: "Read", Held: true}, {Name: "Prepare"}, {Name: "Decide"}, {Name: "Administer"}},
	}
}
