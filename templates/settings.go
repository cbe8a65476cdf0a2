package templates

import "daybook/templates/ui"

// The pages of the settings. They are about people; the book is only the one around them.
const (
	SettingsUsers   = "users"
	SettingsTokens  = "tokens"
	SettingsBooks   = "books"
	SettingsProfile = "profile"
)

// settingsTabs lead to the pages of the settings that this person may open; current is the one that is open.
func (s Shell) settingsTabs(current string) ui.Tabs {
	tabs := ui.Tabs{Label: "Settings"}
	add := func(page, text string) {
		tabs.Items = append(tabs.Items, ui.Tab{Text: text, Href: s.Book.SettingsURL(page), Current: page == current})
	}
	if s.Nav.MayAdminister {
		add(SettingsUsers, "Users and roles")
	}
	add(SettingsTokens, "API tokens")
	add(SettingsBooks, "Books")
	add(SettingsProfile, "Your profile")
	return tabs
}
