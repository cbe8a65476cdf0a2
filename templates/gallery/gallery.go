package gallery

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"daybook/templates"
)

// Path is where a server for developers shows the gallery; a screen is below it, by its name.
const Path = "/dev/gallery"

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
	groupComponents = "Components"
	groupDoor       = "Sign-in"
	groupBook       = "Book"
	groupBank       = "Bank"
	groupMachines   = "Machines"
	groupControl    = "Control"
	groupSettings   = "Settings"
	groupErrors     = "Errors"
)

// Screens are all screens there are, those of a group together.
func Screens() []Screen {
	return slices.Concat(
		componentsScreens(),
		// Sign-in
		loginScreens(),
		// Book
		overviewScreens(),
		balancesScreens(),
		accountScreens(),
		accountsScreens(),
		journalScreens(),
		entryScreens(),
		reverseScreens(),
		approvalsScreens(),
		// Bank
		statementsScreens(),
		uploadScreens(),
		draftScreens(),
		jobScreens(),
		reconciliationScreens(),
		reconciliationStatementScreens(),
		breakScreens(),
		accountRulesScreens(),
		paymentsScreens(),
		paymentScreens(),
		payoutsScreens(),
		paymentSettingsScreens(),
		// Machines
		inboxScreens(),
		keysScreens(),
		// Control
		periodsScreens(),
		periodScreens(),
		auditScreens(),
		// Settings
		usersScreens(),
		tokensScreens(),
		profileScreens(),
		// Errors
		errorScreens(),
	)
}

// Named gives the screen of that name, and whether there is one.
func Named(name string) (Screen, bool) {
	screens := Screens()
	i := slices.IndexFunc(screens, func(s Screen) bool { return s.Name == name })
	if i < 0 {
		return Screen{}, false
	}
	return screens[i], true
}

// Address is where a server for developers shows the screen.
func (s Screen) Address() string { return Path + "/" + s.Name }

// In is the page in the theme "light" or "dark", whichever it has by itself. Both differ in nothing but what the document says
// of itself.
func (s Screen) In(theme string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var page bytes.Buffer
		if err := s.Page.Render(ctx, &page); err != nil {
			return err
		}
		_, err := themed(theme).WriteString(w, page.String())
		return err
	})
}

func themed(theme string) *strings.Replacer {
	var pairs []string
	for _, own := range []string{"light", "dark"} {
		for _, attribute := range []string{`data-bs-theme="`, `<meta name="color-scheme" content="`} {
			pairs = append(pairs, attribute+own+`"`, attribute+theme+`"`)
		}
	}
	return strings.NewReplacer(pairs...)
}

func indexShell(theme string) templates.Shell {
	s := shell("Gallery", "")
	s.Theme = theme
	return s
}

// section is a group with its screens.
type section struct {
	name    string
	screens []Screen
}

func sections() (found []section) {
	for _, s := range Screens() {
		if last := len(found) - 1; last < 0 || found[last].name != s.Group {
			found = append(found, section{name: s.Group})
		}
		last := &found[len(found)-1]
		last.screens = append(last.screens, s)
	}
	return found
}
