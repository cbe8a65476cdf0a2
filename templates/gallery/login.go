package gallery

import (
	"daybook/templates"
)

func loginScreens() []Screen {
	return []Screen{
		{"login", "Sign in", groupDoor, templates.LoginPage(templates.Login{Next: "/b/main/journal"})},
		{"login-refused", "Sign in, refused, in the dark", groupDoor, templates.LoginPage(templates.Login{Email: "tom@kiln.test", Error: "E-mail or password is wrong.", Theme: "dark"})},
		{"no-book", "Signed in, without a book", groupDoor, templates.NoBookPage(templates.NoBook{})},
	}
}
