package templates

import (
	"net/http"
	"strconv"

	"daybook/templates/ui"
)

// ErrorPage is the answer to what could not be done: what is wrong, where, and what to do. What is left out of Title,
// Detail and Do is said in general words for the status.
type ErrorPage struct {
	Shell
	Status int
	Title  string
	// Detail says what exactly is wrong.
	Detail string
	// Do says what to do about it.
	Do string
	// Request is the id under which operators and the audit log find this answer.
	Request string
	// Back is where to go from here; without one, the balances or the start page.
	Back ui.Link
	// Administrators are people who could give the missing role, for a 403.
	Administrators []string
	// Rights are those of this book, for a 403: which are held and which are not.
	Rights []Right
}

// Right is a right in words, and whether the person has it.
type Right struct {
	Name string
	Held bool
}

type wording struct{ title, detail, do string }

// inGeneral is what can be said knowing only the status.
func inGeneral(status int) wording {
	switch status {
	case http.StatusForbidden:
		return wording{"You may not do this", "Nothing was changed. The attempt is in the audit log.",
			"An administrator of the book can give you the role that holds the right."}
	case http.StatusNotFound:
		return wording{"There is nothing at this address", "It may have been mistyped, or it belongs to another book.",
			"Search the journal, or start from the balances."}
	case http.StatusMethodNotAllowed:
		return wording{"This address does not take that", "Nothing was changed.", "Go back and use the form or the link again."}
	case http.StatusConflict:
		return wording{"Someone else was faster", "It changed while you had it open. Nothing of yours was saved.",
			"Look at what it is now, then decide again."}
	case http.StatusRequestEntityTooLarge:
		return wording{"That is too large", "Nothing was stored.", "Split the file, or leave out what is not needed."}
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return wording{"This could not be taken", "Nothing was changed.", "The Back button of your browser returns to the form as you typed it."}
	case http.StatusTooManyRequests:
		return wording{"Too many attempts", "Nothing was changed.", "Wait a few minutes, then try again."}
	case http.StatusServiceUnavailable:
		return wording{"Daybook is busy", "Nothing was changed.", "Try again in a moment. It is safe: a form posts once, however often it is sent."}
	}
	return wording{"Something broke on our side", "Nothing was posted.",
		"It is safe to try again: the form carries a key, so it posts once."}
}

func (e ErrorPage) title() string { return either(e.Title, inGeneral(e.Status).title) }
func (e ErrorPage) do() string    { return either(e.Do, inGeneral(e.Status).do) }

// detail does not say again what the title says.
func (e ErrorPage) detail() string {
	if e.Detail == e.title()+"." {
		return inGeneral(e.Status).detail
	}
	return either(e.Detail, inGeneral(e.Status).detail)
}

func (e ErrorPage) lead() string {
	lead := "Answer " + strconv.Itoa(e.Status) + "."
	if e.Request != "" {
		lead += " Quote request " + e.Request + " when you ask about it."
	}
	return lead
}

// signedIn says whether the page can stand in the shell of a book.
func (e ErrorPage) signedIn() bool { return e.User.Name != "" && e.Book.Slug != "" }

// ways are where to go from here, the most likely one first.
func (e ErrorPage) ways() []ui.Button {
	var ways []ui.Button
	if e.Back.Href != "" {
		ways = append(ways, ui.Button{Text: e.Back.Text, Href: e.Back.Href, Icon: e.backIcon()})
	}
	if e.signedIn() {
		ways = append(ways, ui.Button{Text: "Balances of " + e.Book.Name, Href: e.Book.URL("balances"), Icon: "scale"})
	} else if len(ways) == 0 {
		ways = append(ways, ui.Button{Text: "Start page", Href: "/", Icon: "home"})
	}
	if e.signedIn() && e.Status == http.StatusNotFound {
		ways = append(ways, ui.Button{Text: "Search the journal", Href: e.Book.URL("journal"), Icon: "search"})
	}
	ways[0].Primary = true
	return ways
}

// backIcon turns round where the page itself is worth another try.
func (e ErrorPage) backIcon() string {
	switch {
	case e.Status == http.StatusUnauthorized:
		return "lock"
	case e.Status >= http.StatusInternalServerError:
		return "rotate"
	}
	return "arrow-left"
}

func (r Right) chip() ui.Chip {
	if r.Held {
		return ui.Chip{Text: r.Name, Tone: ui.OK, Icon: "check"}
	}
	return ui.Chip{Text: r.Name, Icon: "x"}
}

func (r Right) spoken() string {
	if r.Held {
		return "You may: "
	}
	return "You may not: "
}

func either(said, general string) string {
	if said != "" {
		return said
	}
	return general
}
