package statement

import (
	"strings"
	"sync"
	"unicode"

	"daybook/store/ledger"
)

// currencySigns are what banks print for a currency besides its code. "" marks a sign that several currencies share: it
// is read over, but tells nothing.
var currencySigns = sync.OnceValue(func() map[string]string {
	signs := map[string]string{}
	for _, pair := range strings.Fields(`€:EUR euro:EUR euros:EUR £:GBP zł:PLN zl:PLN Ft:HUF Kč:CZK Kc:CZK ₹:INR ₽:RUB ₺:TRY ₪:ILS ₩:KRW
円:JPY 圓: 원:KRW 人民币:CNY 人民幣:CNY 港币:HKD 美元:USD 欧元:EUR 日元:JPY 日本円:JPY руб.:RUB руб:RUB грн:UAH грн.:UAH ₸:KZT ₼:AZN ₾:GEL ₦:NGN ₵:GHS ៛:KHR ₮:MNT ₨: ريال: د.ك:KWD د.إ:AED ر.س:SAR €uro:EUR 元: ¥: ￥: R$:BRL US$:USD A$:AUD AU$:AUD C$:CAD CA$:CAD NZ$:NZD HK$:HKD S$:SGD NT$:TWD Fr.: Fr: SFr.:CHF SFr:CHF Rs: Rs.: $: kr: kr.: lei:RON
лв:BGN лв.:BGN ₴:UAH ₫:VND ฿:THB RM:MYR ₱:PHP Rp:IDR L: R: ден:MKD дин:RSD ,-:`) {
		sign, code, _ := strings.Cut(pair, ":")
		signs[strings.ToLower(sign)] = code
	}
	return signs
})

// currencyOf reads a code or a sign that stands alone. known is also true for a sign that does not say which currency.
func currencyOf(s string) (code string, known bool) {
	s = strings.TrimSpace(s)
	upper := strings.ToUpper(s)
	if _, ok := ledger.Exponent(upper); ok {
		return upper, true
	}
	if code, ok := strings.CutSuffix(upper, "$"); ok && len(code) == 3 && isCode(code) { // "CAD$"
		return code, true
	}
	code, known = currencySigns()[strings.ToLower(s)]
	return code, known
}

// currencyIn finds the one currency that a header or a line of the preamble names: a code in capitals, or a sign. "" when
// there is none, or more than one.
func currencyIn(text string) string {
	found := ""
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`()[]"':;,/-_#`, r) }) {
		code, known := currencyOf(word)
		if strings.HasPrefix(fold(word), "euro") && len(word) <= 6 {
			code, known, word = "EUR", true, "EUR" // also in words: "Débit euros", "Määrä EUROA"
		}
		isCode := len(word) == 3 && word == strings.ToUpper(word) && isASCII(word)
		if !known || code == "" || (unicode.IsLetter([]rune(word)[0]) && isASCII(word) && !isCode && !strings.HasSuffix(word, "$")) || word == "ALL" {
			continue
		}
		if found != "" && found != code {
			return ""
		}
		found = code
	}
	return found
}

func isCurrencyToken(folded string) bool {
	_, known := currencyOf(folded)
	return known || strings.HasPrefix(folded, "euro") && len(folded) <= 6
}
