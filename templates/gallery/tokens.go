package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
)

func tokensScreens() []Screen {
	own := tokens()
	own.Everyone, own.Rows, own.Nav.MayAdminister = false, own.Rows[1:2], false
	none := own
	none.Rows = nil
	form := templates.NewToken{
		Shell: settings("New token"), Form: "form-7be2-4a80-b6c4", Expires: "2026-06-30",
		Rights: []templates.RightChoice{{Right: "post", Words: "Post entries", Ticked: true}, {Right: "request", Words: "Request reversals"}, {Right: "upload", Words: "Upload statements"}},
	}
	wrong := form
	wrong.Errors = []ledger.FieldError{{Field: "name", Detail: "Say in at most 200 characters what uses the token"}, {Field: "expires", Detail: "Last day lies in the past"}}
	reader := form
	reader.Rights = nil
	made := templates.MadeToken{
		Shell: settings("New token"), Name: "Payment run", Text: "daybook_3Vn1kZ0sC7wq2dQm8tXy5bLf9hPa4uRe6gJi0oKl2nM",
		Address: "https://books.kilnandco.example/api/v1/books/main/balances",
	}
	again := made
	again.Text, again.Again = "", true
	limited := books()
	limited.Limit = templates.AdjustmentLimit{Typed: "ten", Form: "form-91d0-4c9e-b7aa", MayChange: true}
	limited.Errors = []ledger.FieldError{{Field: "limit", Detail: "“ten” is not an amount: write it as 10.00"}}
	return []Screen{
		{"tokens", "API tokens of everyone", groupSettings, templates.TokensPage(tokens())},
		{"tokens-own", "API tokens of one’s own", groupSettings, templates.TokensPage(own)},
		{"tokens-none", "API tokens, none yet", groupSettings, templates.TokensPage(none)},
		{"token-new", "A new token", groupSettings, templates.NewTokenPage(form)},
		{"token-refused", "A new token, refused", groupSettings, templates.NewTokenPage(wrong)},
		{"token-reader", "A new token of who may only read", groupSettings, templates.NewTokenPage(reader)},
		{"token-made", "A token, shown once", groupSettings, templates.MadeTokenPage(made)},
		{"token-again", "A token that was shown before", groupSettings, templates.MadeTokenPage(again)},
		{"books", "Books", groupSettings, templates.BooksPage(books())},
		{"books-limit", "Books, for who may change the limit of adjusting entries, refused", groupSettings, templates.BooksPage(limited)},
	}
}

func tokens() templates.Tokens {
	return templates.Tokens{
		Shell: settings("API tokens"), Everyone: true,
		Rows: []templates.TokenRow{
			{ID: 4, Name: "Payment run", Person: "Ana Ruiz", Rights: []string{"post", "request"}, CreatedAt: at("2026-03-02T09:00:00Z"), LastUsed: at("2026-04-01T09:38:00Z"), LastDay: ledger.MustDate("2026-05-31")},
			{ID: 3, Name: "Report", Person: "Pim Haan", Mine: true, Rights: []string{}, CreatedAt: at("2026-02-10T09:00:00Z")},
			{ID: 2, Name: "Web shop", Person: "Web shop", CreatedAt: at("2026-01-02T09:00:00Z"), LastUsed: at("2026-04-01T09:41:00Z")},
			{ID: 1, Name: "Trial", Person: "Tom de Wit", Rights: []string{"post"}, CreatedAt: at("2026-01-02T09:00:00Z"), LastDay: ledger.MustDate("2026-01-31"), Expired: true},
			{ID: 5, Name: "Old laptop", Person: "Lars Oud", Rights: []string{}, CreatedAt: at("2026-01-02T09:00:00Z"), LastUsed: at("2026-01-14T10:20:00Z"), RevokedAt: at("2026-01-15T08:00:00Z")},
		},
	}
}

func books() templates.Books {
	s := settings("Books")
	other := templates.Book{Slug: "studio", Name: "Kiln Studio B.V.", Currency: "EUR"}
	s.Elsewhere = []templates.Book{other}
	return templates.Books{Shell: s, Limit: templates.AdjustmentLimit{Minor: 1000}, Rows: []templates.BookRow{
		{Book: s.Book, Roles: []string{"preparer", "approver"}, Current: true}, {Book: other, Roles: []string{"viewer"}},
	}}
}
