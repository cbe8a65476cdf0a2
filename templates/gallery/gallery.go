package gallery

import (
	"slices"

	"github.com/a-h/templ"
)

// Screen is one state of one page.
type Screen struct {
	// Name is the last part of its address and the name of its golden file.
	Name string
	// Title says which state it is.
	Title string
	// Group is where it belongs in the navigation.
	Group string
	Page  templ.Component
}

// The groups, in the order in which they are shown.
const (
	groupDoor     = "Signing in"
	groupBook     = "Book"
	groupBank     = "Bank"
	groupControl  = "Control"
	groupSettings = "Settings"
	groupErrors   = "Errors"
)

// Screens are all screens there are, those of a group together.
func Screens() []Screen {
	return slices.Concat(
		// Signing in
		loginScreens(),
		// Book
		balancesScreens(),
		journalScreens(),
		entryScreens(),
		reverseScreens(),
		approvalsScreens(),
		// Bank
		statementsScreens(),
		uploadScreens(),
		reconciliationScreens(),
		breakScreens(),
		// Control
		auditScreens(),
		// Settings
		// Errors
		errorScreens(),
	)
}
