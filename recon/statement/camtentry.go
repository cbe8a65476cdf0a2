package statement

import (
	"cmp"
	"fmt"
	"strings"
)

// camtEntry is an Ntry: one movement of the account, with the payments that it consists of.
type camtEntry struct {
	row, start        int
	amount, currency  string
	otherAmounts      []camtAmount // what else it is said to be worth, of the whole entry or of its one payment
	direction, status string
	reversed          bool
	bookedOn          string
	bankRef           string
	info              string // in the bank's words
	batched           int    // how many payments it is said to consist of
	batchRef          string
	payments          int // those that are told about
	endToEndID        string
	paymentRef        string // the bank's, of the first payment
	creditorRef       string // the creditor's, of the first payment
	debtor, creditor  string // of the payment that is open
	remittance        []byte // what the payer wrote, of the payment that is open
	text              string // what else says it, of the payment that is open
	texts             string // of those before it
}

type camtAmount struct{ amount, currency string }

// otherAmountsKept is how many amounts of an entry are kept; more are those of the payments of a batch.
const otherAmountsKept = 8

// textBytes is about how much of the texts of an entry is kept: a batch may have those of thousands of payments.
const textBytes = 4_000

// anew gives an entry in the memory of the one before it, nil for the first.
func (e *camtEntry) anew(row, start int) *camtEntry {
	if e == nil {
		e = &camtEntry{}
	}
	*e = camtEntry{row: row, start: start, otherAmounts: e.otherAmounts[:0], remittance: e.remittance[:0]}
	return e
}

// take keeps what stands in an element of the entry; ccy is the currency of the last amount.
func (e *camtEntry) take(path, value, ccy string) {
	payment, ok := strings.CutPrefix(path, "NtryDtls/TxDtls/")
	if !ok {
		payment, ok = strings.CutPrefix(path, "TxDtls/")
	}
	if ok {
		e.takePayment(payment, value, ccy)
		return
	}
	switch path {
	case "Amt":
		e.amount, e.currency = value, ccy
	case "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt":
		e.takeOther(value, ccy)
	case "CdtDbtInd":
		e.direction = strings.ToUpper(value)
	case "RvslInd":
		e.reversed = value == "true" || value == "1"
	case "Sts", "Sts/Cd", "Sts/Prtry":
		e.status = value
	case "BookgDt", "BookgDt/Dt", "BookgDt/DtTm":
		e.bookedOn = value
	case "AcctSvcrRef":
		e.bankRef = givenReference(value)
	case "AddtlNtryInf":
		e.info = addText(e.info, value)
	case "NtryDtls/Btch/NbOfTxs":
		e.batched += countOf(value)
	case "NtryDtls/Btch/PmtInfId", "NtryDtls/Btch/MsgId":
		e.batchRef = cmp.Or(e.batchRef, givenReference(value))
	}
}

// takePayment keeps what stands in a TxDtls. The first gives its references; they count only when it is the only one.
func (e *camtEntry) takePayment(path, value, ccy string) {
	first := e.payments == 1
	switch path {
	case "Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt":
		e.takeOther(value, ccy)
	case "Refs/EndToEndId":
		if first {
			e.endToEndID = givenReference(value)
		}
	case "Refs/AcctSvcrRef":
		if first {
			e.paymentRef = givenReference(value)
		}
	case "RltdPties/Dbtr/Nm", "RltdPties/Dbtr/Pty/Nm":
		e.debtor = value
	case "RltdPties/Cdtr/Nm", "RltdPties/Cdtr/Pty/Nm":
		e.creditor = value
	case "RmtInf/Ustrd":
		if len(e.remittance) < textBytes {
			e.remittance = append(append(e.remittance, ' '), value...)
		}
	case "RmtInf/Strd/CdtrRefInf/Ref", "RmtInf/Strd/CdtrRefInf/CdtrRef":
		if first {
			e.creditorRef = cmp.Or(e.creditorRef, givenReference(value))
		}
		e.text = addText(e.text, value)
	case "RmtInf/Strd/AddtlRmtInf", "RmtInf/Strd/RfrdDocInf/Nb", "AddtlTxInf":
		e.text = addText(e.text, value)
	}
}

func (e *camtEntry) takeOther(amount, currency string) {
	if len(e.otherAmounts) < otherAmountsKept {
		e.otherAmounts = append(e.otherAmounts, camtAmount{amount, currencyCode(currency)})
	}
}

// amountIn gives the amount in the currency of the account. Some banks write that of the payment as the amount of the entry, and what the
// account was moved by only in its details.
func (e *camtEntry) amountIn(account string) camtAmount {
	own := camtAmount{e.amount, currencyCode(e.currency)}
	if e.currency == "" {
		own.currency = account
	}
	if own.currency == account || own.currency == "" || e.isBatch() {
		return own
	}
	found := camtAmount{}
	for _, other := range e.otherAmounts {
		if other.currency == account && found.amount != "" && found != other {
			return own
		}
		if other.currency == account {
			found = other
		}
	}
	if found.amount == "" {
		return own
	}
	return found
}

// addText is joinText up to a length.
func addText(text, more string) string {
	if len(text) >= textBytes {
		return text
	}
	return joinText(text, more)
}

func (e *camtEntry) openPayment() {
	e.closePayment()
	e.payments++
}

// closePayment puts the other side of a payment before its text: who paid us, or whom we paid. A reversal is named by its original.
func (e *camtEntry) closePayment() {
	party := cmp.Or(e.creditor, e.debtor)
	if (e.direction == "CRDT") != e.reversed {
		party = cmp.Or(e.debtor, e.creditor)
	}
	text := joinText(strings.TrimSpace(string(e.remittance)), e.text)
	e.texts = addText(e.texts, joinText(party, text))
	e.debtor, e.creditor, e.text, e.remittance = "", "", "", e.remittance[:0]
}

func (e *camtEntry) isBatch() bool { return e.payments > 1 || e.batched > 1 }

// description says of an entry what the bank and the payer do.
func (e *camtEntry) description() string {
	text := joinText(e.texts, e.info)
	if e.isBatch() {
		text = joinText(fmt.Sprintf("Batch of %d", max(e.payments, e.batched)), text)
	}
	return clipped(text, 2*textBytes)
}

// reference is the payer's end-to-end reference, and that of the bank where there is none or several.
func (e *camtEntry) reference() string {
	if e.isBatch() {
		return cmp.Or(e.bankRef, e.batchRef)
	}
	return cmp.Or(e.endToEndID, e.bankRef, e.paymentRef, e.creditorRef, e.batchRef)
}

// line reads the entry, with a reason and its detail where it is none.
func (e *camtEntry) line(account string, t *told) (Line, *faultyCell) {
	if fault := e.unbooked(); fault != nil {
		return Line{}, fault
	}
	day, ok := instantDay(e.bookedOn, t)
	if !ok && e.bookedOn == "" {
		return Line{}, &faultyCell{ReasonBadDate, "the entry has no booking date (BookgDt)"}
	} else if !ok {
		return Line{}, &faultyCell{ReasonBadDate, fmt.Sprintf("%q is not a day of the calendar", short(e.bookedOn))}
	}
	printed := e.amountIn(account)
	amount, fault := signedMinor(printed.amount, e.direction, printed.currency)
	if fault != nil {
		return Line{}, fault
	}
	line := Line{Row: e.row, Date: day, AmountMinor: amount, Currency: printed.currency, Reference: e.reference(), Description: e.description(), BankID: e.bankRef}
	if !e.isBatch() {
		line.BankID = cmp.Or(e.bankRef, e.paymentRef)
	}
	return line, nil
}

// unbooked says why an entry has not moved money, or not yet; nil for one that has. A statement holds booked entries where it says nothing.
func (e *camtEntry) unbooked() *faultyCell {
	reason, known := statusReason(e.status)
	if strings.EqualFold(e.status, "FUTR") {
		reason, known = ReasonPending, true
	}
	detail := "the bank marks the entry as %q"
	if !known {
		reason, detail = ReasonNotCompleted, detail+", which is not known here"
	}
	if reason == "" {
		return nil
	}
	return &faultyCell{reason, fmt.Sprintf(detail, short(e.status))}
}

// signedMinor reads an amount of ISO 20022, whose sign stands beside it.
func signedMinor(text, direction, currency string) (int64, *faultyCell) {
	if text == "" {
		return 0, &faultyCell{ReasonMissing, "the entry has no amount"}
	}
	if currency == "" {
		return 0, &faultyCell{ReasonBadAmount, fmt.Sprintf("the amount %q has no currency that is known here", short(text))}
	}
	minor, fault := plainMinor(text, currency)
	switch {
	case fault != nil:
		return 0, fault
	case minor < 0 || strings.Contains(text, ","):
		return 0, &faultyCell{ReasonBadAmount, fmt.Sprintf("%q is not an amount: ISO 20022 writes it with a point and without a sign", short(text))}
	case direction == "DBIT":
		return -minor, nil
	case direction != "CRDT":
		return 0, &faultyCell{ReasonBadAmount, fmt.Sprintf("%q does not say whether the amount is money in (CRDT) or out (DBIT)", short(direction))}
	}
	return minor, nil
}
