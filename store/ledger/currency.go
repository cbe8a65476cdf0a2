package ledger

import "strings"

// The active codes of ISO 4217 (list one, funds codes and metals left out), by number of minor digits. The numbers are those of
// the standard, which differ from what locale databases (CLDR) give for some currencies.
const (
	digits0 = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
	digits2 = `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY
COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO
NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`
	digits3 = "BHD IQD JOD KWD LYD OMR TND"
)

var exponents = func() map[string]int {
	m := map[string]int{}
	for digits, codes := range map[int]string{0: digits0, 2: digits2, 3: digits3} {
		for code := range strings.FieldsSeq(codes) {
			m[code] = digits
		}
	}
	return m
}()

// Exponent gives the number of minor digits of an ISO 4217 currency (JPY 0, EUR 2, KWD 3), and whether it is one.
func Exponent(currency string) (digits int, known bool) {
	digits, known = exponents[currency]
	return digits, known
}
