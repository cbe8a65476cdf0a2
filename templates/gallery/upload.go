package gallery

import (
	"daybook/templates"
	"daybook/templates/ui"
)

func uploadScreens() []Screen {
	return []Screen{
		{"upload", "Upload a statement", groupBank, templates.UploadPage(upload())},
		{"upload-waiting", "Upload, while a file waits", groupBank, templates.UploadPage(uploadWaiting())},
		{"upload-refused", "Upload of a file that is refused", groupBank, templates.UploadPage(uploadRefused())},
	}
}

func upload() templates.Upload {
	s := shell("Upload statement", templates.PageUpload)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")})
	return templates.Upload{
		Shell: s, Form: "form-0b1e-4e0d-8a57", LimitMB: 32,
		Accounts: []ui.Option{{Value: "1010", Text: "1010 Bank, operating, EUR"}, {Value: "1020", Text: "1020 Bank, VAT reserve, EUR"}, {Value: "1210", Text: "1210 Processor clearing, EUR"}},
	}
}

func uploadWaiting() templates.Upload {
	v := upload()
	v.Waiting = []templates.WaitingDraft{
		{ID: 12, Account: "1010", FileName: "nordbank_1010_2026-03.csv", Since: at("2026-04-01T09:42:00Z")}, {ID: 11, Account: "1020", FileName: "vat.csv", Since: at("2026-03-31T16:05:00Z")},
	}
	return v
}

func uploadRefused() templates.Upload {
	v := upload()
	v.Account, v.PeriodFrom, v.PeriodTo = "1010", "2026-03-01", "2026-03-31"
	v.Refusal = &templates.StatementRefusal{FileName: "nordbank_1010_2026-03.qif", ErrorClass: "unsupported_message", Detail: "This looks like a QIF file, which is not read here."}
	return v
}
