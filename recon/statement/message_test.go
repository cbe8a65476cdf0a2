package statement_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// said reads a message and tells what was read in a line for the balances and one for each entry, or why it is refused.
func said(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	hints, err := statement.ParseHints(pairs)
	if err != nil {
		t.Fatal(err)
	}
	read, err := statement.Read([]byte(file), hints)
	var refusal *statement.Refusal
	if errors.As(err, &refusal) {
		return strings.TrimSpace(fmt.Sprintf("refused: %s %s", refusal.Class, refusal.Detail))
	}
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, read)
	said := fmt.Sprintf("%s %s, %s to %s", dash(read.Account), dash(read.Currency), show(read.OpeningMinor, read.Currency), show(read.ClosingMinor, read.Currency))
	for _, l := range read.Lines {
		said += fmt.Sprintf("\n%d: %s %s %s %s | %s", l.Row, l.Date, ledger.FormatAmount(l.AmountMinor, l.Currency), l.Currency, dash(l.Reference), l.Description)
		if l.BankID != l.Reference {
			said += " | id " + dash(l.BankID)
		}
	}
	for _, r := range read.Rejects {
		said += fmt.Sprintf("\n%d: %s, %s", r.Row, r.Reason, r.Detail)
	}
	for _, s := range read.Skipped {
		said += fmt.Sprintf("\n%d: skipped, %s", s.Row, s.Reason)
	}
	return said
}

// tells holds that what is said of a file has each of some pieces, in their order.
func tells(t *testing.T, said string, pieces ...string) {
	t.Helper()
	rest := said
	for _, piece := range pieces {
		_, after, found := strings.Cut(rest, piece)
		if !found {
			t.Fatalf("no %q in\n%s", piece, said)
		}
		rest = after
	}
}

// camtOf is a camt.053 of some statements.
func camtOf(statements ...string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>` + strings.Join(statements, "\n") + `</BkToCstmrStmt></Document>`
}

// stmtOf is a Stmt in euros: its account, and then balances and entries.
func stmtOf(account string, inside ...string) string {
	return "<Stmt><Id>S</Id><Acct><Id><IBAN>" + account + "</IBAN></Id><Ccy>EUR</Ccy></Acct>" + strings.Join(inside, "\n") + "</Stmt>"
}

// balOf is a Bal. A minus makes it one of DBIT; the day may be left out.
func balOf(kind, amount, day string) string {
	amount, direction := directed(amount)
	return `<Bal><Tp><CdOrPrtry><Cd>` + kind + `</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">` + amount + `</Amt><CdtDbtInd>` + direction + `</CdtDbtInd><Dt><Dt>` + day + `</Dt></Dt></Bal>`
}

func directed(amount string) (magnitude, direction string) {
	if after, negative := strings.CutPrefix(amount, "-"); negative {
		return after, "DBIT"
	}
	return amount, "CRDT"
}

// ntryOf is a booked entry of 2 March in euros, with what else stands in it.
func ntryOf(amount, ref string, inside ...string) string {
	amount, direction := directed(amount)
	return `<Ntry><Amt Ccy="EUR">` + amount + `</Amt><CdtDbtInd>` + direction + `</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>` + ref + `</AcctSvcrRef>` +
		strings.Join(inside, "") + `</Ntry>`
}

// txOf is the TxDtls of a payment.
func txOf(endToEnd, text string) string {
	return `<TxDtls><Refs><EndToEndId>` + endToEnd + `</EndToEndId></Refs><RmtInf><Ustrd>` + text + `</Ustrd></RmtInf></TxDtls>`
}

const (
	ourIBAN   = "DE00500105170000000777"
	otherIBAN = "DE00500105170000000888"
)

// ofxOf is an OFX file of some statements.
func ofxOf(statements ...string) string {
	return "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1>" + strings.Join(statements, "\n") + "</BANKMSGSRSV1></OFX>\n"
}

// bankOf is the statement of a checking account in dollars up to 31 March: its balance, if any, and entries.
func bankOf(account, balance string, entries ...string) string {
	end := ""
	if balance != "" {
		end = "<LEDGERBAL><BALAMT>" + balance + "<DTASOF>20260331</LEDGERBAL>"
	}
	return "<STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>" + account + "<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260301<DTEND>20260331" +
		strings.Join(entries, "\n") + "</BANKTRANLIST>" + end + "</STMTRS></STMTTRNRS>"
}

// trnOf is an entry of 2 March, with what else stands in it.
func trnOf(amount, id string, inside ...string) string {
	return "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260302<TRNAMT>" + amount + "<FITID>" + cmp.Or(id, " ") + strings.Join(inside, "") + "</STMTTRN>"
}
