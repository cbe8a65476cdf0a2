package web

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// readAmounts reads the amount and the words of the search in every currency of the book: 1200 is 1200.00 in EUR and 1200 in JPY.
func (s *server) readAmounts(ctx context.Context, actor store.Actor, f *journalFilter) error {
	if f.typed.Amount == "" && f.typed.Query == "" {
		return nil
	}
	currencies, err := s.Store.Currencies(ctx, actor)
	if err != nil {
		return err
	}
	currencies = append(currencies, actor.Book.Currency)
	format := formatOf(actor)
	f.Words, f.Amounts = searchWords(format, f.typed.Query, currencies), amountsIn(format, f.typed.Amount, currencies)
	if f.typed.Amount != "" && len(f.Amounts) == 0 {
		f.fault("amount", quoted(f.typed.Amount)+" is not an amount: write it as "+format.Example())
	}
	if len(f.Words) > store.MaxSearchWords {
		f.fault("q", fmt.Sprintf("%d words are too many: search for %d at most", len(f.Words), store.MaxSearchWords))
	}
	return nil
}

// searchWords are the words of a search, each of which may also be the number of an entry or an amount. Words that are an amount
// together, as 1 284.50, are one.
func searchWords(format ui.Format, text string, currencies []string) []store.SearchWord {
	group, _ := format.Marks()
	words := store.WordsOf(text)
	if together := amountsIn(format, text, currencies); len(words) > 1 && len(together) > 0 {
		words = []store.SearchWord{{Text: text}}
	}
	for i, word := range words {
		words[i].Amounts = amountsIn(format, word.Text, currencies)
		seq, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimPrefix(word.Text, "#"), group, ""), 10, 64)
		if err == nil && seq > 0 {
			words[i].Seq = seq
		}
	}
	return words
}

// symbols are those that people write before or behind an amount; one that several currencies share says nothing.
var symbols = map[string]string{"€": "EUR", "£": "GBP", "$": "", "¥": ""}

var decimalComma = regexp.MustCompile(`^(.*\d),(\d{1,3})$`)

// amountsIn reads what was typed as an amount in each of the currencies, without its sign. A filter is generous, as nothing is posted
// by it: it takes a symbol or the code of a currency beside the number, and a comma for the point where that leaves no doubt.
func amountsIn(format ui.Format, text string, currencies []string) map[string]int64 {
	text, only := withoutCurrency(text, currencies)
	amounts := map[string]int64{}
	for _, currency := range currencies {
		if only != "" && only != currency {
			continue
		}
		minor, err := format.ParseAmount(text, currency)
		if found := decimalComma.FindStringSubmatch(text); err != nil && found != nil {
			minor, err = ledger.ParseAmount(strings.ReplaceAll(found[1], ".", ",")+"."+found[2], currency)
		}
		if err == nil {
			amounts[currency] = max(minor, -minor)
		}
	}
	return amounts
}

// withoutCurrency takes the symbol or the code of a currency off an amount, and tells which it was.
func withoutCurrency(text string, currencies []string) (number, only string) {
	text = strings.ToUpper(strings.TrimSpace(text))
	take := func(mark, currency string) {
		for _, cut := range []func(string, string) (string, bool){strings.CutPrefix, strings.CutSuffix} {
			if rest, ok := cut(text, mark); ok {
				text, only = strings.TrimSpace(rest), currency
			}
		}
	}
	for mark, currency := range symbols {
		take(mark, currency)
	}
	for _, currency := range currencies {
		take(currency, currency)
	}
	return text, only
}
