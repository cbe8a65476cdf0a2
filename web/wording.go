package web

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"daybook/store/ledger"
)

// labels are the fields as the forms call them.
var labels = map[string]string{
	"tx_id": "Tx id", "effective_on": "Effective date", "description": "Description", "reason": "Reason", "note": "Note",
	"postings": "Entry", "account": "Account", "file": "File", "period_from": "First day", "period_to": "Last day", "hint": "Hint",
	"email": "E-mail", "name": "Name", "password": "Password", "expires": "Last day",
	"resolution": "Resolution", "reason_code": "Reason code", "amount": "Amount", "currency": "Currency", "customer": "Customer", "reference": "Reference",
	"ref": "Its name there", "charge": "The payment’s name there", "fee": "Fee",
}

var lineOf = regexp.MustCompile(`postings\[(\d+)\]`)

// worded makes whole sentences of what the rules say about fields, as a list over the form shows them without their field.
func worded(fields []ledger.FieldError) []ledger.FieldError {
	sentences := make([]ledger.FieldError, len(fields))
	for i, f := range fields {
		sentences[i] = ledger.FieldError{Field: f.Field, Detail: inWords(f)}
	}
	return sentences
}

// verbs begin what the rules say of a field that is their subject: "is missing", "has 1".
var verbs = []string{"is ", "has ", "takes ", "lies ", "goes ", "must "}

func inWords(f ledger.FieldError) string {
	label := labelOf(f.Field)
	for _, verb := range verbs {
		if strings.HasPrefix(f.Detail, verb) && label != "" {
			return label + " " + f.Detail
		}
	}
	if lineOf.MatchString(f.Field) {
		return label + ": " + f.Detail
	}
	return sentence(f.Detail)
}

// labelOf names a field: "Line 2" for postings[1].amount, "Replacement, tx id" for replacement.tx_id.
func labelOf(field string) string {
	if line := lineOf.FindStringSubmatch(field); line != nil {
		n, _ := strconv.Atoi(line[1])
		return "Line " + strconv.Itoa(n+1)
	}
	if inner, ok := strings.CutPrefix(field, "replacement."); ok {
		return "Replacement, " + strings.ToLower(labels[inner])
	}
	if inner, ok := strings.CutPrefix(field, "entry."); ok {
		return labels[inner]
	}
	return labels[field]
}

// messageOf is what stands over a refused form. What its fields say one by one needs no other sentence.
func messageOf(refusal *ledger.Error) string {
	if refusal.Kind == ledger.KindInvalid && len(refusal.Fields) > 0 {
		return ""
	}
	return strings.TrimSuffix(sentence(refusal.Message), ".") + "."
}

// sentence begins with a capital.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// reasonOf is a refusal that was kept, in one sentence: what it says of its one field, where that is a sentence by itself.
func reasonOf(problem *ledger.Error) string {
	if len(problem.Fields) == 1 && joint(problem.Fields[0].Detail) == ": " {
		return sentence(problem.Fields[0].Detail)
	}
	return sentence(problem.Message)
}

// joint stands between a field and what is said of it, whose subject it may be.
func joint(detail string) string {
	for _, verb := range append(slices.Clone(verbs), "needs ") {
		if strings.HasPrefix(detail, verb) {
			return " "
		}
	}
	return ": "
}

// problemText is a refusal that was kept, in words: with what it says of each field.
func problemText(problem *ledger.Error) string {
	text := strings.TrimSuffix(sentence(problem.Message), ".") + "."
	for _, f := range problem.Fields {
		if !strings.Contains(problem.Message, f.Detail) {
			text += " " + f.Field + strings.TrimSuffix(joint(f.Detail)+f.Detail, ".") + "."
		}
	}
	return text
}
