package statement

import "strings"

// baiSide is what a type code says about a movement.
type baiSide int

const (
	baiUnknown baiSide = iota
	baiCredit
	baiDebit
	baiTotal
	baiStatus // a balance, or a note without money
)

// baiSideOf reads a type code: 101-399 are credits, 401-699 debits, 100 and 400 their totals; 920-959 and 960-999 are credits and debits of the
// bank's own making, 001-099 and 900-919 balances, 890 a note. Loans (700-799) do not say which way money goes.
func baiSideOf(code string) baiSide {
	if len(code) != 3 || !allDigits(code) {
		return baiUnknown
	}
	switch {
	case code == "100" || code == "400":
		return baiTotal
	case code < "100" || code == "890" || code >= "900" && code < "920":
		return baiStatus
	case code < "400" || code >= "920" && code < "960":
		return baiCredit
	case code < "700" || code >= "960":
		return baiDebit
	}
	return baiUnknown
}

// baiName gives the name of a common type code, for a movement without a text; "" for others.
func baiName(code string) string {
	const names = `108 Credit|115 Lockbox deposit|142 ACH credit|165 Preauthorized ACH credit|169 Miscellaneous ACH credit|174 Other deposit|175 Check deposit package
195 Incoming money transfer|201 Individual automatic transfer credit|206 Book transfer credit|252 Debit reversal|255 Check posted and returned|275 ZBA credit
301 Commercial deposit|354 Interest credit|399 Miscellaneous credit|409 Debit|451 ACH debit received|455 Preauthorized ACH debit|469 Miscellaneous ACH debit
475 Check paid|495 Outgoing money transfer|501 Individual automatic transfer debit|506 Book transfer debit|555 Deposited item returned|575 ZBA debit
661 Account analysis fee|698 Miscellaneous fees|699 Miscellaneous debit`
	at := strings.Index(names, code+" ")
	if at < 0 || len(code) != 3 {
		return ""
	}
	name := names[at+4:]
	if end := strings.IndexAny(name, "|\n"); end >= 0 {
		name = name[:end]
	}
	return name
}
