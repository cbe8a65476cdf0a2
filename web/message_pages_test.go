package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// exampleMessage is a camt.053 of three movements and one that is pending, from 1.00 to 39.40.
const exampleMessage = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE00500105170000000777</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">39.40</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>t1</EndToEndId></Refs><RmtInf><Ustrd>one</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">24.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>t2</EndToEndId></Refs><RmtInf><Ustrd>two</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">3.90</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt><AcctSvcrRef>t4</AcctSvcrRef></Ntry>
<Ntry><Amt Ccy="EUR">7.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt><AcctSvcrRef>t9</AcctSvcrRef></Ntry>
</Stmt></BkToCstmrStmt></Document>
`

// withSecondAccount is exampleMessage with the statement of another account behind it.
func withSecondAccount(message string) string {
	return strings.Replace(message, "</Stmt>", "</Stmt><Stmt><Acct><Id><IBAN>DE00500105170000000888</IBAN></Id><Ccy>EUR</Ccy></Acct></Stmt>", 1)
}

func TestAMessageOfTheBankIsStoredWithoutAMapping(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br := b.browser(t, "preparer")
	draft := br.reads(t, "march.xml", exampleMessage).says(t, "3 new + 1 rejected = 4 rows in the file", "Format ISO 20022 camt.053", "Account DE00500105170000000777",
		"Opening in file 1.00", "Closing in file 39.40 Difference 0.00", "The next file of this format is read in the same way", "Store 3 lines")
	for _, odd := range []string{"Delimiter", "Decimal mark", "The file as it stands", "by this column", "CSV"} {
		if strings.Contains(draft.text(t), odd) {
			t.Errorf("a message is shown as a table: %s", odd)
		}
	}
	stored := br.confirms(t, draft).want(t, 303)
	br.get(t, stored.location()).says(t, "3 lines stored, 1 rejected", "Balance per statement 39.40", "Amount differs 1", "row 2 · t2")
	br.get(t, stored.location()+"?tab=rows").says(t, "The bank marks the entry as \"PDNG\"", `<Ntry><Amt Ccy="EUR">7.00</Amt>`)

	br.reads(t, "bad.xml", strings.Replace(exampleMessage, "39.40", "39.50", 1)).says(t, "bad.xml cannot be stored as it is: its balances do not add up.",
		"give 39.40 EUR, and the file states a closing balance of 39.50 EUR", "0 new + 3 already known + 1 rejected = 4 rows in the file")
	fresh := br.get(t, uploadPath).filled(t, uploadPath, typed("account", "1010"))
	br.upload(t, uploadPath, fresh, "day.xml", strings.ReplaceAll(exampleMessage, "BkToCstmrStmt", "BkToCstmrAcctRpt")).want(t, 422).
		says(t, "day.xml was not stored: its format is not read.", "This is a report of the day so far", "Export it as CSV, camt.053, MT940, OFX or BAI2.")
}

func TestTheAccountOfAMessageIsAskedOnce(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.xml", withSecondAccount(exampleMessage)).says(t, "Which account of the bank is this statement of?", "DE00500105170000000777 4 movements", "DE00500105170000000888 0 movements")
	br.submit(t, draft, draft.path, typed("file_account", "DE00500105170000000777")).want(t, 303)
	draft = br.get(t, draft.path).says(t, "3 new + 1 rejected = 4 rows in the file", "DE00500105170000000777, as you say")
	br.get(t, br.confirms(t, draft).want(t, 303).location()).says(t, "3 lines stored")

	april := strings.NewReplacer("2026-03", "2026-04", "1.00<", "39.40<", "39.40<", "77.80<").Replace(exampleMessage)
	br.reads(t, "april.xml", withSecondAccount(april)).says(t, "camt.053, version 1", "Chosen by the format of the file", "3 new + 1 rejected = 4 rows in the file",
		"Same account of the bank as before", "Opening equals the closing of the statement before")
}

func TestAMessageIsStoredOverTheAPI(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	first := b.as("preparer").upload(t, exampleMessage, "account=1010", "hint=decimal=,", "hint=date_column=Datum").want(t, 201)
	if rows := fmt.Sprint(first["rows"]); rows != "map[duplicate:0 known:0 new:3 rejected:1 skipped:0]" {
		t.Errorf("rows are %s", rows)
	}
	problem := b.as("preparer").upload(t, strings.Replace(exampleMessage, "39.40", "39.50", 1), "account=1010").refused(t, "statement-refused", 422)
	if problem["error_class"] != "balance_mismatch" {
		t.Errorf("refused as %v", problem)
	}
}

func TestAFileOfAnotherAccountOfTheBankIsAskedAbout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	b.as("admin").key("reserve").post(t, "/accounts", `{"code": "1020", "name": "VAT reserve", "type": "asset", "currency": "EUR"}`).want(t, 201)
	b.as("admin").key("savings").post(t, "/accounts", `{"code": "1030", "name": "Savings", "type": "asset", "currency": "EUR"}`).want(t, 201)
	br := b.browser(t, "preparer")
	br.stores(t, "reserve.xml", exampleMessage, "account", "1020")

	april := strings.NewReplacer("2026-03", "2026-04", "1.00<", "39.40<", "39.40<", "77.80<").Replace(exampleMessage)
	problem := b.as("preparer").upload(t, april, "account=1010").refused(t, "statement-refused", 422)
	if problem["error_class"] != "other_account" || !strings.Contains(fmt.Sprint(problem["detail"]), "stored for 1020") {
		t.Errorf("refused as %v", problem)
	}
	draft := br.reads(t, "april.xml", april).says(t, "Is this file of 1010?", "It states the account DE00500105170000000777 of the bank, of which the statements are stored for 1020",
		"Yes, DE00500105170000000777 is 1010", "It can be stored once the question above is answered", "An account of the bank that is stored for 1020", "3 new + 1 rejected")
	br.post(t, draft.path+"/confirm", draft.form(t, draft.path+"/discard")).want(t, 422).says(t, "Is this file of 1010?", "The file is of account DE00500105170000000777 of the bank")
	br.submit(t, draft, draft.path, typed("file_account", "DE00500105170000000777")).want(t, 303)
	draft = br.get(t, draft.path).says(t, "DE00500105170000000777, as you say", "An account of the bank that is stored for 1020", "Store 3 lines")
	br.submit(t, draft, draft.path, typed("account", "1030")).want(t, 303)
	moved := br.get(t, draft.path).says(t, "Is this file of 1030?")
	br.submit(t, moved, draft.path, typed("account", "1010", "file_account", "DE00500105170000000777")).want(t, 303)
	draft = br.get(t, draft.path).says(t, "DE00500105170000000777, as you say", "Store 3 lines")
	br.get(t, br.confirms(t, draft).want(t, 303).location()).says(t, "3 lines stored")

	may := strings.NewReplacer("2026-04", "2026-05", "77.80<", "116.20<", "39.40<", "77.80<").Replace(april)
	b.as("preparer").upload(t, may, "account=1010").want(t, 201) // it is known from now on
	other := strings.NewReplacer("0777", "0888", "2026-05", "2026-06").Replace(may)
	b.as("preparer").upload(t, other, "account=1020", "profile=none").refused(t, "statement-refused", 422)
	b.as("preparer").upload(t, other, "account=1020", "profile=none", "hint=account=de00 5001 0517 0000 0008 88").want(t, 201)
}
