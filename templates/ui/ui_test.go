package ui

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"daybook/store/ledger"
)

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMoneyIsWrittenByTheDigitsOfItsCurrency(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]Money{
		`<data class="money" value="80815.20">80,815.20</data>`:                                                 {Minor: 8081520, Currency: "EUR"},
		`<data class="money neg" value="-1848.95"><span class="visually-hidden">minus </span>(1,848.95)</data>`: {Minor: -184895, Currency: "EUR"},
		`<data class="money" value="80815">80,815</data>`:                                                       {Minor: 80815, Currency: "JPY"},
		`<data class="money neg" value="-1.848"><span class="visually-hidden">minus </span>(1.848)</data>`:      {Minor: -1848, Currency: "KWD"},
		`<data class="money zero" value="0.00">0.00</data>`:                                                     {Currency: "EUR"},
		`<data class="money zero" value="0">0</data>`:                                                           {Currency: "JPY"},
		`<data class="money" value="0.005">0.005</data> <span class="ccy">KWD</span>`:                           {Minor: 5, Currency: "KWD", WithCode: true},
		`<data class="money" value="92233720368547758.07">92,233,720,368,547,758.07</data>`:                     {Minor: ledger.MaxAmountMinor, Currency: "EUR"},
	} {
		if got := render(t, m); got != want {
			t.Errorf("%+v\n got %s\nwant %s", m, got, want)
		}
	}
}

func TestMoneyMarksTheDigitsThatDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		minor, against int64
		want           string
	}{
		{-128450, -124850, "(1,2<mark>84</mark>.50)"},
		{242000, 239500, "2,<mark>420</mark>.00"},
		{-6490, 6490, "(<mark>64.90</mark>)"},
		{6490, -6490, "<mark>64.90</mark>"},
		{100, 100000, "<mark>1.00</mark>"},
		{100, 100, "1.00"},
	} {
		got := render(t, Money{Minor: c.minor, Currency: "EUR", Against: &c.against})
		if !strings.Contains(strings.ReplaceAll(got, ` class="diff"`, ""), c.want+"</data>") {
			t.Errorf("%d against %d: %s, want %s", c.minor, c.against, got, c.want)
		}
	}
}

func TestDebitCreditFillsOneSide(t *testing.T) {
	t.Parallel()
	const blank = `<td class="num"></td>`
	debit := render(t, DebitCredit{Minor: 100, Currency: "EUR"})
	credit := render(t, DebitCredit{Minor: -100, Currency: "EUR"})
	none := render(t, DebitCredit{Currency: "EUR", Blank: true})
	if !strings.HasSuffix(debit, blank) || strings.HasPrefix(debit, blank) || !strings.Contains(debit, ">1.00<") {
		t.Errorf("debit: %s", debit)
	}
	if !strings.HasPrefix(credit, blank) || strings.HasSuffix(credit, blank) || !strings.Contains(credit, ">1.00<") {
		t.Errorf("credit: %s", credit)
	}
	if none != blank+blank {
		t.Errorf("blank: %s", none)
	}
}

func TestPostingsAddUpPerCurrency(t *testing.T) {
	t.Parallel()
	p := Postings{Rows: []Posting{{Minor: 500, Currency: "EUR"}, {Minor: 90, Currency: "JPY"}, {Minor: -500, Currency: "EUR"}, {Minor: -80, Currency: "JPY"}}}
	want := []SideTotal{{Currency: "EUR", DebitMinor: 500, CreditMinor: 500}, {Currency: "JPY", DebitMinor: 90, CreditMinor: 80}}
	got := p.Totals()
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("totals %+v, want %+v", got, want)
	}
	over := Postings{Rows: []Posting{{Minor: ledger.MaxAmountMinor, Currency: "EUR"}, {Minor: 1, Currency: "EUR"}}}.Totals()
	if !over[0].Incomplete {
		t.Error("a total beyond the largest amount must not be shown")
	}
}

func TestEditorKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	e := Editor{
		Prefix: "replacement.", Caption: "Postings", Accounts: []AccountChoice{{"1010", "Bank", "EUR"}},
		Lines:  []Line{{Account: "1010", Debit: "12,x"}, {Account: "1010", Credit: "1,000.50"}},
		Errors: []ledger.FieldError{{Field: "replacement.postings[0].debit", Detail: "not an amount"}},
	}
	got := render(t, e)
	for _, want := range []string{
		`name="replacement.postings[0].debit" value="12,x"`, `id="replacement-postings-0-debit"`, `>not an amount</p>`,
		`aria-describedby="replacement-postings-0-debit-hint"`, `>1,000.50</span></td>`, `name="replacement.drop" value="1"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the editor lacks %s in\n%s", want, got)
		}
	}
}

func TestRefusedLinksEveryFieldAtFault(t *testing.T) {
	t.Parallel()
	if Refused("", "this entry from being posted", nil) != nil {
		t.Error("nothing wrong must give no summary")
	}
	got := render(t, Refused("", "this entry from being posted", []ledger.FieldError{{Field: "effective_on", Detail: "no date"}, {Field: "postings[1].credit", Detail: "no amount"}}))
	for _, want := range []string{"2 things keep this entry from being posted.", `href="#effective_on"`, `href="#postings-1-credit"`, "data-focus"} {
		if !strings.Contains(got, want) {
			t.Errorf("the summary lacks %s in %s", want, got)
		}
	}
}

func TestFieldShowsTheErrorInPlaceOfTheHint(t *testing.T) {
	t.Parallel()
	got := render(t, Field{Name: "effective_on", Label: "Effective date", Type: "date", Hint: "in an open period", Error: "closed"})
	if strings.Contains(got, "open period") || !strings.Contains(got, `aria-invalid="true"`) || !strings.Contains(got, `<p class="invalid" id="effective_on-hint">closed</p>`) {
		t.Error(got)
	}
}

func TestADisabledButtonSaysWhy(t *testing.T) {
	t.Parallel()
	got := render(t, Button{Text: "Request reversal", Why: "Already reversed by #1,182."})
	if !strings.Contains(got, `disabled aria-describedby="why-request-reversal"`) || !strings.Contains(got, `id="why-request-reversal">Already reversed`) {
		t.Error(got)
	}
}
