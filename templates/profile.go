package templates

import (
	"strings"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Profile is a person's own page: who they are, how pages look for them, and their password.
type Profile struct {
	Shell
	Email       string
	Books       []ProfileBook
	Preferences PreferencesForm
	Password    PasswordForm
}

// ProfileBook is a book with the person's roles in it.
type ProfileBook struct {
	Book
	Roles []string
}

func (b ProfileBook) roles() string { return strings.Join(b.Roles, ", ") }

// PreferencesForm is what was chosen, or typed and refused.
type PreferencesForm struct {
	Numbers, Negatives, Dates string
	Density, Theme            string
	Message                   string
	Errors                    []ledger.FieldError
}

// PasswordForm says why a change of the password was refused. What was typed is not shown again.
type PasswordForm struct {
	Message string
	Errors  []ledger.FieldError
}

func (v Profile) radios(name, legend, value string, choices ...ui.Choice) ui.Radios {
	return ui.Radios{Name: name, Legend: legend, Value: value, Error: ui.ErrorOf(v.Preferences.Errors, name), Choices: choices}
}

// The samples of a choice are in it alone, whatever else was chosen: 1,234.56 on 31 March 2026.
const (
	sampleMinor    = 123456
	sampleCurrency = "EUR"
)

var sampleDay = ledger.MustDate("2026-03-31")

func (v Profile) numbers() ui.Radios {
	choice := func(style ui.NumberStyle, words string) ui.Choice {
		return ui.Choice{Value: string(style), Text: ui.Format{Numbers: style}.Amount(sampleMinor, sampleCurrency), Hint: words}
	}
	return v.radios("numbers", "Numbers", v.Preferences.Numbers,
		choice(ui.PointNumbers, "Comma between thousands, point before decimals"),
		choice(ui.CommaNumbers, "Point between thousands, comma before decimals"),
		choice(ui.SpaceNumbers, "Narrow space between thousands, comma before decimals"),
		choice(ui.ApostropheNumbers, "Apostrophe between thousands, point before decimals"))
}

func (v Profile) negatives() ui.Radios {
	choice := func(style ui.NegativeStyle, words string) ui.Choice {
		return ui.Choice{Value: string(style), Text: ui.Format{Numbers: v.Format.Numbers, Negatives: style}.Amount(-sampleMinor, sampleCurrency), Hint: words}
	}
	return v.radios("negatives", "Amounts below zero", v.Preferences.Negatives,
		choice(ui.Parentheses, "In parentheses"), choice(ui.MinusSign, "With a minus sign"))
}

func (v Profile) dates() ui.Radios {
	choice := func(style ui.DateStyle, words string) ui.Choice {
		return ui.Choice{Value: string(style), Text: ui.Format{Dates: style}.Day(sampleDay), Hint: words}
	}
	return v.radios("dates", "Dates", v.Preferences.Dates,
		choice(ui.ISODates, "Year, month, day"), choice(ui.DashedDates, "Day, month, year"), choice(ui.SlashedDates, "Day, month, year"),
		choice(ui.DottedDates, "Day, month, year"), choice(ui.MonthFirst, "Month, day, year"))
}

func (v Profile) density() ui.Radios {
	return v.radios("density", "Rows", v.Preferences.Density,
		ui.Choice{Value: "compact", Text: "Compact", Hint: "More rows on a screen"},
		ui.Choice{Value: "normal", Text: "Normal"},
		ui.Choice{Value: "relaxed", Text: "Relaxed", Hint: "As high as they always are on a touch screen"})
}

func (v Profile) themes() ui.Radios {
	return v.radios("theme", "Light or dark", v.Preferences.Theme,
		ui.Choice{Value: "light", Text: "Light"},
		ui.Choice{Value: "dark", Text: "Dark"},
		ui.Choice{Value: "system", Text: "As the system", Hint: "Dark when your system is. Without scripts too, but for small details such as the arrows of lists."})
}

// sample is how a figure and a day look as saved. The figure in question is written out, as the point is how it is written.
func (v Profile) sample() string {
	return "As saved, 1234.56 below zero on 31 March 2026 is shown as " + v.Format.Amount(-sampleMinor, sampleCurrency) + " on " + v.Format.Day(sampleDay) +
		", and entry 1706 as " + v.Format.Seq(1706) + "."
}

func (v Profile) facts() ui.KeyValue {
	return ui.KeyValue{{Name: "Name", Text: v.User.Name}, {Name: "E-mail", Text: v.Email}}
}

func (v Profile) passwordField(name, label, autocomplete, hint string) ui.Field {
	return ui.Field{
		Name: name, Label: label, Type: "password", Autocomplete: autocomplete, Hint: hint, Required: true, Error: ui.ErrorOf(v.Password.Errors, name),
	}
}
