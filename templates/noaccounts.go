package templates

import "daybook/templates/ui"

// noAccounts stands where the accounts of a book would, and says how they come about.
func (b Book) noAccounts(then string) ui.Empty {
	return ui.Empty{
		Icon: "scale", Title: "No accounts yet",
		Text: "An administrator adds the accounts of the book, with the command daybook account add CODE --name NAME --type TYPE --book " + b.Slug +
			" or over the API with POST /accounts. " + then,
	}
}
