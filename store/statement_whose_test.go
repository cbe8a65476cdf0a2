package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
)

func forAccount(code string) func(*store.Upload) {
	return func(u *store.Upload) { u.Account = code }
}

func knowing(account string) func(*store.Upload) {
	return func(u *store.Upload) { u.Hints = statement.Hints{"account": account} }
}

const otherIBAN = "DE00500105170000000888"

func TestUploadStatement_RefusesAFileOfAnotherAccountOfTheBank(t *testing.T) {
	t.Parallel()
	later := booking{"2026-03-20", "1.00", "L1", "later"}
	for name, test := range map[string]struct {
		data    []byte
		account string
		says    string // "" where it is taken
	}{
		"ThatAnotherAccountHas":        {inMT940(ourIBAN, later), "1030", "its statements are stored for 1020"},
		"ThatIsNotTheOneSoFar":         {inMT940("DE00500105170000000999", later), "1010", "the files of 1010 so far are of " + otherIBAN},
		"ThatIsBoth":                   {inMT940(ourIBAN, later), "1010", "its statements are stored for 1020, and the files of 1010 so far are of " + otherIBAN},
		"ACSVThatPrintsIt":             {balanced(ourIBAN, "2026-03-20,1.00,101.00,later"), "1010", "stored for 1020"},
		"OfTheSame":                    {inMT940(ourIBAN, later), "1020", ""},
		"OfTheSameInTheBanksOwnNumber": {inMT940("50010517/0000000777", later), "1020", ""},
		"OfTheOtherInItsOwnNumber":     {inMT940("50010517/0000000777", later), "1030", "stored for 1020"},
		"OfANewOne":                    {inMT940("DE00500105170000000999", later), "1030", ""},
		"ThatPrintsNone":               {inCSV(later), "1010", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.open(t, "1020", ledger.Asset)
			b.open(t, "1030", ledger.Asset)
			b.upload(t, inCamt(ourIBAN, fewDays...), forAccount("1020"))
			b.upload(t, inCamt(otherIBAN, fewDays...))
			_, _, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: test.account, Data: test.data})
			if test.says == "" {
				ok(t, err)
				return
			}
			refused(t, err, ledger.KindStatementRefused)
			var refusal *ledger.Error
			if errors.As(err, &refusal); refusal.Extra["error_class"] != store.ClassOtherAccount || !strings.Contains(refusal.Message, test.says) {
				t.Errorf("%v, %q", refusal.Extra, refusal.Message)
			}
			_, _, err = b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: test.account, Data: test.data, Hints: statement.Hints{"account": "DE00"}})
			refused(t, err, ledger.KindStatementRefused)
			told := refusal.Message[strings.Index(refusal.Message, "hint account=")+len("hint account=") : len(refusal.Message)-2]
			b.upload(t, test.data, forAccount(test.account), knowing(told))
			b.upload(t, append(test.data, "\r\n"...), forAccount(test.account)) // it is known from now on
		})
	}
}

func TestUploadStatement_AnUndoneFileSaysNothingOfTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset)
	b.undo(t, b.upload(t, inCamt(ourIBAN, fewDays...)).StatementID)
	b.upload(t, inCamt(ourIBAN, fewDays...), forAccount("1020"))
}

func TestDraft_AsksForTheAccountOfAFileThatStatesAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset)
	b.upload(t, inCamt(ourIBAN, fewDays...), forAccount("1020"))
	id := b.start(t, inMT940(ourIBAN, fewDays...))
	p := b.preview(t, id)
	if p.Question == nil || p.Question.Hint != "account" || len(p.Question.Answers) != 1 || p.Question.Answers[0].Value != ourIBAN || fmt.Sprint(p.Checks.Account.Elsewhere) != "[1020]" {
		t.Fatalf("asked %+v, checked %+v", p.Question, p.Checks.Account)
	}
	_, _, err := b.ConfirmDraft(t.Context(), b.preparer, "", id, store.DraftConfirm{Version: p.Version})
	refused(t, err, ledger.KindStatementRefused)
	if p = b.tell(t, id, statement.Hints{"account": ourIBAN}); p.Question != nil || p.Refusal != nil {
		t.Errorf("once it is told: asked %+v, refused %v", p.Question, p.Refusal)
	}
	if got := b.confirm(t, id, "own"); got.Rows.New != 4 {
		t.Errorf("rows %+v", got.Rows)
	}
}
