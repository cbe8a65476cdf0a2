package statement

import (
	"slices"
	"strings"

	"daybook/store/ledger"
)

// ofxAggregates are the elements with elements in them that tell what a value is about. All others are read over.
var ofxAggregates = strings.Fields(`OFX STATUS STMTRS CCSTMTRS INVSTMTRS BANKACCTFROM CCACCTFROM INVACCTFROM BANKTRANLIST BANKTRANLISTP STMTTRN STMTTRNP
	PAYEE BANKACCTTO CCACCTTO CURRENCY ORIGCURRENCY LEDGERBAL AVAILBAL BALLIST`)

// readOFX reads the statements of accounts and cards in Open Financial Exchange, versions 1 (SGML) and 2 (XML), also under the name QFX.
// Where the specification and banks differ, it takes what banks write: elements that are not closed, ampersands, both decimal marks.
func readOFX(text string, t *told) (*Statement, error) {
	r := &ofxReader{told: t, tags: ofxTags{text: text}}
	if err := r.read(); err != nil {
		return nil, err
	}
	if err := r.endStmt(len(text)); err != nil {
		return nil, err
	}
	if len(r.all) == 0 {
		return nil, r.nothing()
	}
	signByKind(r.stmts)
	for _, s := range r.stmts {
		s.finish(t)
		if !r.served.IsZero() && s.period.to.After(r.served) {
			s.period.to = r.served
		}
	}
	statement, err := r.all.joined("ofx", t)
	if err == nil && len(r.others) > 0 {
		statement.Skipped = append(statement.Skipped, r.others...)
		slices.SortFunc(statement.Skipped, func(a, b Skipped) int { return a.Row - b.Row })
	}
	return statement, err
}

type ofxReader struct {
	told    *told
	tags    ofxTags
	within  []string // the aggregates that are open
	stmt    *ofxStmt // nil outside of one
	entry   ofxEntry
	inEntry bool
	rows    int
	stmts   []*ofxStmt  // that are read
	all     parts       // of them
	served  ledger.Date // the day on which the file was made; zero where it does not say it
	others  []Skipped   // entries of accounts that are none of a bank
	// What the bank says where it sends no statement.
	invests        bool
	failed, reason string
}

func (r *ofxReader) read() error {
	for {
		tag, ok, err := r.tags.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch {
		case tag.closing:
			err = r.close(tag)
		case tag.value == "" && slices.Contains(ofxAggregates, tag.name):
			err = r.open(tag)
		case tag.value != "":
			r.take(tag.name, tag.value)
		}
		if err != nil {
			return err
		}
	}
	if slices.ContainsFunc(r.within, func(name string) bool { return name == "OFX" || name == "BANKTRANLIST" || name == "STMTTRN" }) {
		return refuse(ClassMalformed, 0, "The file is cut off: its end is missing. Download it from the bank again.")
	}
	return nil
}

// nothing refuses a file without a statement of a bank.
func (r *ofxReader) nothing() *Refusal {
	switch {
	case r.invests:
		return refuse(ClassUnsupported, 0, "The file is the statement of an investment account, which is not read here. Download the statement of the account or card.")
	case r.failed != "":
		return refuse(ClassEmpty, 0, "The file holds no statement: the bank answered with an error, %s. Download it again.", short(r.failed+" "+r.reason))
	}
	return refuse(ClassEmpty, 0, "The file holds no statement.")
}

func (r *ofxReader) open(tag ofxTag) (err error) {
	switch tag.name {
	case "STMTRS", "CCSTMTRS":
		r.endEntry(tag.start)
		err = r.endStmt(tag.start)
		r.stmt = &ofxStmt{start: tag.end}
		r.stmt.owed = tag.name == "CCSTMTRS"
	case "INVSTMTRS":
		r.endEntry(tag.start)
		err = r.endStmt(tag.start)
		r.invests = true
	case "BANKTRANLIST":
		if r.stmt == nil && !slices.Contains(r.within, "INVSTMTRS") {
			r.stmt = &ofxStmt{start: tag.end} // of a bank that sends nothing else
		}
	case "STMTTRN", "STMTTRNP":
		r.endEntry(tag.start)
		if r.rows++; r.rows > MaxRows {
			return refuse(ClassMalformed, r.rows, "The file has more than %d entries. Split it by period and upload the parts.", MaxRows)
		}
		r.entry, r.inEntry = ofxEntry{row: r.rows, start: tag.start, pending: tag.name == "STMTTRNP"}, true
		r.closeTo("STMTTRN")
		r.closeTo("STMTTRNP")
	}
	if len(r.within) < len(ofxAggregates) {
		r.within = append(r.within, tag.name)
	}
	return err
}

// closeTo closes an aggregate with all that is open in it.
func (r *ofxReader) closeTo(name string) {
	if at := slices.Index(r.within, name); at >= 0 {
		r.within = r.within[:at]
	}
}

func (r *ofxReader) close(tag ofxTag) (err error) {
	switch tag.name {
	case "STMTTRN", "STMTTRNP":
		r.endEntry(tag.end)
	case "BANKTRANLIST", "BANKTRANLISTP":
		r.endEntry(tag.start)
	case "STMTRS", "CCSTMTRS", "OFX":
		r.endEntry(tag.start)
		err = r.endStmt(tag.start)
	}
	r.closeTo(tag.name)
	return err
}

func (r *ofxReader) endStmt(end int) (err error) {
	if r.stmt != nil {
		r.stmt.same = r.stmt.identity(r.tags.text[:end])
		r.all, err = r.all.with(&r.stmt.part)
		r.stmts = append(r.stmts, r.stmt)
	}
	r.stmt = nil
	return err
}

func (r *ofxReader) endEntry(end int) {
	if !r.inEntry {
		return
	}
	raw := clipped(strings.TrimSpace(r.tags.text[r.entry.start:end]), rowShown)
	if r.stmt == nil {
		r.others = append(r.others, Skipped{r.entry.row, SkipAccount, raw})
	} else {
		r.stmt.takeEntry(&r.entry, raw, r.told)
	}
	r.inEntry = false
}

// take keeps a value by the aggregate that it stands in.
func (r *ofxReader) take(name, value string) {
	within := ""
	if n := len(r.within); n > 0 {
		within = r.within[n-1]
	}
	switch {
	case within == "STATUS" && name == "SEVERITY" && strings.EqualFold(value, "ERROR"):
		r.failed = value
	case name == "DTSERVER" && r.stmt == nil:
		r.served, _ = ofxDay(value, r.told)
	case within == "STATUS" && name == "MESSAGE":
		r.reason = value
	case r.inEntry:
		r.entry.take(within, name, value)
	case r.stmt != nil:
		r.stmt.take(within, name, value)
	}
}
