package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func profileScreens() []Screen {
	chosen := profile()
	chosen.Format = ui.Format{Numbers: ui.CommaNumbers, Negatives: ui.MinusSign, Dates: ui.DottedDates}
	chosen.Theme, chosen.Density, chosen.Now = "dark", "compact", "As of 01.04.2026 09:42 UTC"
	chosen.Preferences = templates.PreferencesForm{Numbers: "point-comma", Negatives: "minus", Dates: "dd.mm.yyyy", Density: "compact", Theme: "dark"}
	refused := profile()
	refused.Password = templates.PasswordForm{Errors: []ledger.FieldError{{Field: "current_password", Detail: "This is not your password"}}}
	wrong := profile()
	wrong.Nav.MayAdminister = false
	wrong.Preferences.Numbers = "roman"
	wrong.Preferences.Errors = []ledger.FieldError{{Field: "numbers", Detail: "Must be comma-point, point-comma, space-comma, apostrophe-point"}}
	return []Screen{
		{"profile", "Your profile", groupSettings, templates.ProfilePage(profile())},
		{"profile-chosen", "Your profile with a decimal comma, in the dark", groupSettings, templates.ProfilePage(chosen)},
		{"profile-password", "Your profile: another password refused", groupSettings, templates.ProfilePage(refused)},
		{"profile-refused", "Your profile: a preference that there is not", groupSettings, templates.ProfilePage(wrong)},
	}
}

func profile() templates.Profile {
	s := crumbed(shell("Your profile", templates.PageSettings), ui.Link{Text: "Settings"})
	s.Nav.MayAdminister = true
	return templates.Profile{
		Shell: s, Email: "tom@kiln.test", Books: []templates.ProfileBook{{Book: s.Book, Roles: []string{"preparer", "approver"}}},
		Preferences: templates.PreferencesForm{Numbers: "comma-point", Negatives: "parentheses", Dates: "yyyy-mm-dd", Density: "normal", Theme: "light"},
	}
}
