package web

import (
	"daybook/recon/statement"
	"daybook/templates"
	"daybook/templates/ui"
)

// questionView puts what a file leaves open into words, "" of the reader's own names in it.
func questionView(q *statement.Question, columns columnsRead, typed draftSettings, period [2]string) *templates.DraftQuestion {
	if q == nil {
		return nil
	}
	view := &templates.DraftQuestion{Name: controlOf("hint." + q.Hint)}
	says := ""
	if q.Row > 0 && q.Sample != "" {
		says = "Row " + ui.Number(q.Row) + " says " + q.Sample + "."
	}
	view.Title, view.Text = "How is this file to be read?", says
	answer := func(a statement.Answer) ui.Choice { return ui.Choice{Value: a.Value, Text: a.Meaning, Hint: a.Value} }
	switch q.Hint {
	case "date_format":
		view.Title, view.Text = "How are the dates of this file written?", says+" No other row decides it."
		answer = func(a statement.Answer) ui.Choice {
			return ui.Choice{Value: a.Value, Text: q.Sample + " is " + a.Meaning}
		}
	case "decimal":
		view.Title, view.Text = "Which mark stands before the cents?", says+" No other row decides it."
		answer = func(a statement.Answer) ui.Choice {
			return ui.Choice{Value: a.Value, Text: q.Sample + " is " + a.Meaning}
		}
	case "account":
		view.Title, view.Text = "Which account of the bank is this statement of?", "The file holds several. Upload it once for each of them."
		answer = func(a statement.Answer) ui.Choice { return ui.Choice{Value: a.Value, Text: a.Value, Hint: a.Meaning} }
	case "include_rows":
		view.Title, view.Text = "Which currency is this statement of?", "The file holds several. Upload it once for each account."
		answer = func(a statement.Answer) ui.Choice { return ui.Choice{Value: a.Value, Text: a.Meaning} }
	case "encoding":
		view.Title, view.Text = "Which of these is written right?", "The file does not say how its letters are stored."
		answer = func(a statement.Answer) ui.Choice {
			return ui.Choice{Value: a.Value, Text: a.Meaning, Hint: nameOf(encodingNames, a.Value)}
		}
	case "period_start":
		view.Title, view.Text = "From which day to which does this file go?", "Its dates have no year. "+says
		view.Fields = []ui.Field{
			{Name: "period_from", Label: "First day", Type: "date", Value: period[0], Required: true},
			{Name: "period_to", Label: "Last day", Type: "date", Value: period[1], Required: true},
		}
	case "currency":
		view.Title, view.Text = "In which currency are its amounts?", "The file does not say it."
		view.Fields = []ui.Field{{Name: "currency", Label: "Currency", Value: typed["currency"], Placeholder: "EUR", Required: true}}
	default:
		answer = func(a statement.Answer) ui.Choice {
			return ui.Choice{Value: a.Value, Text: columns.letter(a.Value) + " " + a.Meaning}
		}
		view.Title, view.Text = columnQuestion(q.Hint)
	}
	for _, a := range q.Answers {
		view.Answers = append(view.Answers, answer(a))
	}
	return view
}

// columnQuestion asks which column a field is taken from.
func columnQuestion(hint string) (title, text string) {
	switch hint {
	case "date_column":
		return "Which column is the booking date?", "The names of the columns do not say it."
	case "amount_column":
		return "Which column is the amount?", "The names of the columns do not say it. If money out and money in stand in columns of their own, choose both below."
	case "direction_column":
		return "Which column says whether money came in or went out?", "No amount has a sign, and the balances show that they are not all alike."
	}
	for _, column := range append(lineColumns, furtherColumns...) {
		if column.control == hint {
			return "Which column is the field “" + column.label + "”?", "The names of the columns do not say it."
		}
	}
	return "Which column is it?", ""
}
