package templates

import "daybook/templates/ui"

// noAccounts stands where the accounts of a book would, and says how they come about.
func (b Book) noAccounts(then string) ui.Empty {
	return ui.Empty{
		Icon: "scale", Title: "No accounts yet",
		Text:    "An administrator of the book opens its accounts, on the page Accounts or over the API. " + then,
		Actions: []ui.Button{{Text: "Accounts", Icon: "list-details", Href: b.URL("accounts")}},
	}
}
