package gallery

import (
	"time"

	"daybook/templates"
	"daybook/templates/ui"
)

// The story that all screens tell: Kiln & Co, an online ceramics shop, seen on 2026-04-01 by Tom de Wit.

// shell is what surrounds a page.
func shell(title string, active templates.Page) templates.Shell {
	return templates.Shell{
		Title: title,
		Book:  templates.Book{Slug: "main", Name: "Kiln & Co", Currency: "EUR", Head: 1706},
		User:  templates.User{Name: "Tom de Wit", Initials: "TW", Roles: []string{"Preparer", "approver"}},
		Nav:   templates.Nav{Active: active, ApprovalsWaiting: 3, OpenBreaks: 15, MayUpload: true},
		Theme: "light", Now: "As of 2026-04-01 09:42 UTC",
	}
}

// crumbed is a shell whose page is reached by way of others.
func crumbed(s templates.Shell, before ...ui.Link) templates.Shell {
	s.Crumbs = append(before, ui.Link{Text: s.Title})
	return s
}

// at is an instant written as in RFC 3339.
func at(instant string) time.Time {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		panic(err)
	}
	return t
}

// names are those of the accounts.
var names = map[string]string{
	"1010": "Bank, operating", "1210": "Processor clearing", "2010": "Trade payables", "2200": "VAT on sales",
	"2210": "VAT on purchases", "4010": "Sales, web shop", "6100": "Rent", "6200": "Processor fees", "6400": "Marketing",
	"customer:bord": "Bord & Co",
}

func account(code, name string) ui.Account {
	return ui.Account{Code: code, Name: name, Href: shell("", "").Book.AccountURL(code)}
}

// line is a posting to one of the accounts that have names.
func line(code string, minor int64) ui.Posting {
	book := shell("", "").Book
	return ui.Posting{Code: code, Name: names[code], Href: book.AccountURL(code), Minor: minor, Currency: "EUR"}
}

// eur is a total in one currency.
func eur(minor int64) []ui.Money { return []ui.Money{{Minor: minor, Currency: "EUR"}} }
