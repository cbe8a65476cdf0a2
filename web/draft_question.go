package web

import (
	"slices"
	"strings"

	"daybook/recon/statement"
	"daybook/templates"
	"daybook/templates/ui"
)

// questionView puts what a file leaves open into words, nil when that is nothing.
func (d *draftShown) questionView() *templates.DraftQuestion {
	if d.Question == nil {
		return nil
	}
	view := &templates.DraftQuestion{Name: controlOf("hint." + d.Question.Hint), Fields: d.questionFields()}
	view.Title, view.Text = d.questionWords()
	for _, answer := range d.Question.Answers {
		view.Answers = append(view.Answers, d.answerView(answer))
	}
	return view
}

func (d *draftShown) questionWords() (title, text string) {
	q, says := d.Question, ""
	if d.asksWhose() {
		return "Is this file of " + d.Account.Code + "?", d.otherAccount() + " If it is not, choose the account that it is of below."
	}
	if q.Row > 0 && q.Sample != "" {
		says = "Row " + d.reader.Number(q.Row) + " says “" + q.Sample + "”."
	}
	switch q.Hint {
	case "date_format":
		return "How are the dates of this file written?", says + " No other row decides it."
	case "decimal":
		return "Which mark stands before the cents?", says + " No other row decides it."
	case "sign":
		return "Did this money go out, or come in?", says + " No amount has a minus, and no balance decides it."
	case "account":
		return "Which account of the bank is this statement of?", "The file holds several. Upload it once for each of them."
	case "include_rows":
		return "Which currency is this statement of?", "The file holds several. Upload it once for each account."
	case "encoding":
		return "Which of these is written right?", "The file does not say how its letters are stored."
	case "period_start":
		return "From which day to which does this file go?", "Its dates have no year. " + says
	case "currency":
		return "In which currency are its amounts?", "The file does not say it."
	case "date_column":
		return "Which column is the booking date?", "The names of the columns do not say it."
	case "amount_column":
		return "Which column is the amount?", "The names of the columns do not say it. If money out and money in stand in columns of their own, choose both below."
	case "direction_column":
		return "Which column says whether money came in or went out?", "No amount has a sign, and the balances show that they are not all alike."
	}
	for _, column := range slices.Concat(lineColumns, furtherColumns) {
		if column.control == q.Hint {
			return "Which column is the field “" + column.label + "”?", "The names of the columns do not say it."
		}
	}
	return "How is this file to be read?", says
}

// asksWhose reports whether the question is the one about a file that states another account of the bank than so far.
func (d *draftShown) asksWhose() bool {
	c := d.Checks.Account
	return d.Question != nil && d.Question.Hint == "account" && d.Readable && c != nil && !c.OK()
}

// otherAccount says why the account of a file is not the one that is expected.
func (d *draftShown) otherAccount() string {
	c := d.Checks.Account
	says := "It states the account " + c.Printed + " of the bank"
	if len(c.Elsewhere) > 0 {
		says += ", of which the statements are stored for " + strings.Join(c.Elsewhere, " and ")
	}
	if len(c.Earlier) > 0 {
		says += "; the files of " + d.Account.Code + " before are of " + strings.Join(c.Earlier, " and ")
	}
	return says + "."
}

// questionFields are to be filled in where there is nothing to choose from.
func (d *draftShown) questionFields() []ui.Field {
	switch d.Question.Hint {
	case "period_start":
		return []ui.Field{
			{Name: "period_from", Label: "First day", Type: "date", Value: d.typed.periodFrom, Required: true, Error: ui.ErrorOf(d.errors, "period_from")},
			{Name: "period_to", Label: "Last day", Type: "date", Value: d.typed.periodTo, Required: true, Error: ui.ErrorOf(d.errors, "period_to")},
		}
	case "currency":
		return []ui.Field{{Name: "currency", Label: "Currency", Value: d.typed.settings["currency"], Placeholder: "EUR", Required: true, Error: ui.ErrorOf(d.errors, "currency")}}
	}
	return nil
}

// answerView says what an answer would make of the file.
func (d *draftShown) answerView(a statement.Answer) templates.DraftAnswer {
	view := templates.DraftAnswer{Value: a.Value, Text: a.Meaning}
	switch d.Question.Hint {
	case "date_format":
		view.Text = d.Question.Sample + " is " + a.Meaning
	case "decimal":
		view.Text = d.Question.Sample + " is " + a.Meaning
		if a.AmountMinor != nil {
			view.Text, view.Money = d.Question.Sample+" is ", &ui.Money{Minor: *a.AmountMinor, Currency: a.Currency, WithCode: true}
		}
	case "sign":
		view.Text = d.Question.Sample + " is " + a.Meaning
	case "account":
		view.Text, view.Hint = a.Value, a.Meaning
		if d.asksWhose() {
			view.Text, view.Hint = "Yes, "+a.Value+" is "+d.Account.Code, ""
		}
	case "encoding":
		view.Hint = nameOf(encodingNames, a.Value)
	case "include_rows":
	default:
		view.Text = d.columns().letter(a.Value) + " " + a.Meaning
	}
	return view
}
