package statement_test

import (
	"strings"
	"testing"

	"daybook/recon/statement"
)

// kindOf is an entry of a kind.
func kindOf(kind, amount, id string) string {
	return strings.Replace(trnOf(amount, id), "<TRNTYPE>OTHER", "<TRNTYPE>"+kind, 1)
}

// An amount without a minus that is money out by its kind is none that came in, unless the file or a person says so.
func TestOFX_AsksWhichWayMoneyGoes(t *testing.T) {
	t.Parallel()
	march := func(balance string, entries ...string) string { return monthOf("03", balance, entries...) }
	april := func(balance string, entries ...string) string { return monthOf("04", balance, entries...) }
	debit := kindOf("DEBIT", "10.00", "F1")
	card := func(stmts ...string) string {
		return strings.NewReplacer("STMTRS", "CCSTMTRS", "BANKACCTFROM", "CCACCTFROM", "<ACCTTYPE>CHECKING", "").Replace(ofxOf(stmts...))
	}
	const asks = "refused: ambiguous_sign Entry 1 is of the kind "
	for name, c := range map[string]struct{ file, hint, want string }{
		"only debits":                       {ofxOf(march("90.00", debit)), "", asks + "DEBIT, which is money out, and its amount of 10.00 USD has no minus; nor has any other of the account. Say whether amounts without a minus are money out (hint sign=invert) or money in (hint sign=normal)."},
		"only checks":                       {ofxOf(march("", kindOf("CHECK", "10.00", "F1"))), "", asks + "CHECK"},
		"only fees":                         {ofxOf(march("", kindOf("FEE", "10.00", "F1"))), "", asks + "FEE"},
		"only charges":                      {ofxOf(march("", kindOf("SRVCHG", "10.00", "F1"))), "", asks + "SRVCHG"},
		"only cash":                         {ofxOf(march("", kindOf("CASH", "10.00", "F1"), kindOf("ATM", "10.00", "F2"))), "", asks + "CASH"},
		"only payments":                     {ofxOf(march("", kindOf("PAYMENT", "10.00", "F1"))), "", asks + "PAYMENT"},
		"only direct debits":                {ofxOf(march("", kindOf("DIRECTDEBIT", "10.00", "F1"))), "", asks + "DIRECTDEBIT"},
		"beside what does not say":          {ofxOf(march("", kindOf("POS", "10.00", "F1"), trnOf("5.00", "F2"))), "", asks + "POS"},
		"that is out, as told":              {ofxOf(march("90.00", debit)), "sign=invert", "- to 90.00\n1: 2026-03-02 -10.00"},
		"that is in, as told":               {ofxOf(march("90.00", debit)), "sign=normal", "- to 90.00\n1: 2026-03-02 10.00"},
		"with signs":                        {ofxOf(march("", kindOf("DEBIT", "-10.00", "F1"), kindOf("FEE", "5.00", "F2"))), "", "1: 2026-03-02 -10.00 USD F1 | \n2: 2026-03-02 5.00"},
		"with signs in another month":       {ofxOf(march("", kindOf("FEE", "5.00", "F1")), april("", kindOf("DEBIT", "-10.00", "F2"))), "", "1: 2026-03-02 5.00"},
		"with money in in another month":    {ofxOf(march("", debit), april("", kindOf("CREDIT", "7.00", "F2"))), "", "1: 2026-03-02 -10.00 USD F1 | \n2: 2026-04-02 7.00"},
		"with signs in another account":     {ofxOf(march("", debit), strings.Replace(april("", trnOf("-1.00", "F2")), "00123", "00124", 1)), "account=00123", asks + "DEBIT"},
		"beside an account that is chosen":  {ofxOf(march("", debit), strings.Replace(april("", trnOf("-1.00", "F2")), "00123", "00124", 1)), "account=00124", "2: 2026-04-02 -1.00"},
		"of nothing":                        {ofxOf(march("", kindOf("FEE", "0.00", "F1"))), "", "1: 2026-03-02 0.00"},
		"only money in":                     {ofxOf(march("", kindOf("CREDIT", "10.00", "F1"), trnOf("5.00", "F2"))), "", "1: 2026-03-02 10.00"},
		"out by the balances":               {ofxOf(march("90.00", debit), april("70.00", kindOf("POS", "20.00", "F2"))), "", "- to 70.00\n1: 2026-03-02 -10.00 USD F1 | \n2: 2026-04-02 -20.00"},
		"come back by the balances":         {ofxOf(march("90.00", debit), april("110.00", kindOf("POS", "20.00", "F2"))), "", "- to 110.00\n1: 2026-03-02 10.00"},
		"neither by the balances":           {ofxOf(march("90.00", debit), april("90.00", kindOf("POS", "20.00", "F2"))), "", asks},
		"with balances of no movement":      {ofxOf(march("90.00", debit), april("90.00")), "", asks},
		"a card that owes more":             {card(march("90.00", debit), april("110.00", kindOf("POS", "20.00", "F2"))), "", asks},
		"a card that owes more, as told":    {card(march("90.00", debit), april("110.00", kindOf("POS", "20.00", "F2"))), "sign=invert", "- to -110.00\n1: 2026-03-02 -10.00"},
		"a card whose balance goes down":    {card(march("-90.00", debit), april("-110.00", kindOf("POS", "20.00", "F2"))), "", "- to -110.00\n1: 2026-03-02 -10.00"},
		"a card that is paid":               {card(march("-90.00", kindOf("PAYMENT", "10.00", "F1"))), "", "- to -90.00\n1: 2026-03-02 10.00"},
		"an ATM in a file without any sign": {ofxOf(march("", kindOf("ATM", "10.00", "F1"), kindOf("CREDIT", "5.00", "F2"))), "", "1: 2026-03-02 -10.00 USD F1 | \n2: 2026-03-02 5.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var hints []string
			if c.hint != "" {
				hints = []string{c.hint}
			}
			tells(t, said(t, c.file, hints...), c.want)
		})
	}
	found, err := statement.Inspect([]byte(ofxOf(march("90.00", debit))), nil)
	if err != nil || found.Question == nil || found.Question.Hint != "sign" || found.Question.Sample != "DEBIT 10.00 USD" || len(found.Question.Answers) != 2 {
		t.Errorf("asked %+v, %v", found.Question, err)
	}
}
