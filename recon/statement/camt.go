package statement

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The messages of ISO 20022 that banks send about an account, by the element that holds them. The namespace says the same, and a version,
// but banks leave it out or write another one.
const (
	camtStatement    = "BkToCstmrStmt"         // camt.053
	camtReport       = "BkToCstmrAcctRpt"      // camt.052
	camtNotification = "BkToCstmrDbtCdtNtfctn" // camt.054
)

// camtDepth is how deep elements may stand in each other; the deepest that is defined is at about 20.
const camtDepth = 64

// readCamt reads ISO 20022 camt.053, the statement of an account, in all its versions: from 001.02 on they differ in where a status and a
// name stand. A file may hold several statements, and several messages one after another.
func readCamt(text string, t *told) (*Statement, error) {
	if err := checkTags(text); err != nil {
		return nil, err
	}
	text = strings.ReplaceAll(withoutControls(text), `<?xml version="1.1"`, `<?xml version="1.0"`)
	r := newCamtReader(text, t)
	err := r.read()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) && strings.Contains(syntax.Msg, "entity") {
		r = newCamtReader(escapeAmpersands(text), t)
		err = r.read()
	}
	if err != nil {
		return nil, brokenXML(err)
	}
	return r.all.joined("camt.053", t)
}

// brokenXML refuses a file that is no XML; what refuses it already stays.
func brokenXML(err error) *Refusal {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	why := strings.TrimPrefix(err.Error(), "xml: ")
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		why = fmt.Sprintf("line %d, %s", syntax.Line, syntax.Msg)
	}
	return refuse(ClassMalformed, 0, "The file is no whole XML file: it is cut off or damaged (%s). Download it from the bank again.", short(why))
}

func newCamtReader(text string, t *told) *camtReader {
	r := &camtReader{text: text, told: t, xml: xml.NewDecoder(strings.NewReader(text))}
	r.xml.CharsetReader = func(_ string, decoded io.Reader) (io.Reader, error) { return decoded, nil }
	return r
}

// withoutControls puts blanks for the control characters that XML does not allow and some banks write.
func withoutControls(text string) string {
	forbidden := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }
	if strings.IndexFunc(text, forbidden) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if forbidden(r) {
			return ' '
		}
		return r
	}, text)
}

// escapeAmpersands writes an ampersand that begins no entity as one that does: names of shops have it, and some banks write it as it is.
func escapeAmpersands(text string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '&')
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at+1])
		if entity := entityPattern.FindStringIndex(text[at:min(len(text), at+16)]); entity == nil || entity[0] > 0 {
			b.WriteString("amp;")
		}
		text = text[at+1:]
	}
}

// camtReader goes through a message element by element; nothing of it is held but the statements.
type camtReader struct {
	text  string
	told  *told
	xml   *xml.Decoder
	depth int
	path  []byte // of the element within its Stmt, as /Ntry/Amt
	leaf  bool   // no element stands in the one that is open
	value []byte // what stands in the element so far
	ccy   string // the attribute of the last Amt

	inMessage bool
	all       parts
	rows      int // entries so far
	stmt      *camtStmt
	entry     *camtEntry // that is open, or was open last
	balance   *camtBalance
}

func (r *camtReader) read() error {
	for {
		start := r.xml.InputOffset()
		token, err := r.xml.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = r.openElement(token, int(start))
		case xml.EndElement:
			err = r.closeElement()
		case xml.CharData:
			err = r.addText(token)
		case xml.Directive:
			err = checkDoctype(string(token))
		}
		if err != nil {
			return err
		}
	}
}

// checkDoctype refuses a file that defines entities of its own, which could stand for any amount of text or for another file. No bank's
// message has any.
func checkDoctype(directive string) error {
	kind := strings.ToUpper(directive[:min(len(directive), len("DOCTYPE"))])
	if kind == "DOCTYPE" && strings.Contains(directive, "[") || strings.HasPrefix(kind, "ENTITY") {
		return refuse(ClassMalformed, 0, "The file defines XML entities of its own (DOCTYPE), as no bank's statement does. Download it from the bank again.")
	}
	return nil
}

// checkTags refuses a text in which a tag is longer than any record may be, before it is taken apart: it would be held whole.
func checkTags(text string) error {
	for pos := 0; ; {
		open := strings.IndexByte(text[pos:], '<')
		if open < 0 {
			return nil
		}
		end := strings.IndexByte(text[pos+open:], '>')
		if end > MaxRecordBytes {
			return refuse(ClassMalformed, 0, "Line %d holds an element that is longer than any bank's. This is no bank's statement.", 1+lineEnds(text[:pos+open]))
		}
		if end < 0 {
			return nil
		}
		pos += open + end
	}
}

func (r *camtReader) openElement(element xml.StartElement, start int) error {
	if r.depth++; r.depth > camtDepth {
		return refuse(ClassMalformed, 0, "The elements of the file stand more than %d deep in each other. This is no bank's statement.", camtDepth)
	}
	r.leaf, r.value = true, r.value[:0]
	name := element.Name.Local
	if r.stmt == nil {
		return r.openMessage(name, element.Name.Space)
	}
	r.path = append(append(r.path, '/'), name...)
	if name == "Amt" {
		r.ccy = attribute(element, "Ccy")
	}
	switch string(r.path) {
	case "/Ntry":
		if r.rows++; r.rows > MaxRows {
			return refuse(ClassMalformed, r.rows, "The file has more than %d entries. Split it by period and upload the parts.", MaxRows)
		}
		r.entry = r.entry.anew(r.rows, start)
	case "/Bal":
		r.balance = &camtBalance{}
	case "/Acct":
		r.stmt.start = start
	case "/Ntry/NtryDtls/TxDtls", "/Ntry/TxDtls":
		r.entry.openPayment()
	}
	return nil
}

// openMessage looks for the statements of a message, whatever it is wrapped in.
func (r *camtReader) openMessage(name, space string) error {
	kind := isoMessage.FindString(space)
	if at := strings.LastIndexByte(name, 'V'); at > 0 && strings.Trim(name[at+1:], "0123456789") == "" {
		name = name[:at] // in version 1 it has its number
	}
	switch {
	case name == camtStatement:
		r.inMessage = true
	case name == camtReport:
		return refuse(ClassUnsupported, 0, "This is a report of the day so far (%s), whose entries may still change. Download the statement (camt.053) from the bank and upload that.", cmp.Or(kind, "camt.052"))
	case name == camtNotification:
		return refuse(ClassUnsupported, 0, "This is a notification of single movements (%s) and no statement: it has no balances, and the statement has its movements too. Download the statement (camt.053) from the bank and upload that.", cmp.Or(kind, "camt.054"))
	case name == "Stmt" && r.inMessage:
		r.stmt = &camtStmt{start: int(r.xml.InputOffset())}
	}
	return nil
}

func (r *camtReader) closeElement() error {
	r.depth--
	switch {
	case r.stmt == nil:
		return nil
	case len(r.path) == 0:
		r.stmt.same = r.stmt.identity(r.text[:r.xml.InputOffset()])
		all, err := r.all.with(r.stmt.finish(r.told))
		r.all, r.stmt = all, nil
		return err
	}
	if r.leaf {
		r.take(string(r.path), oneLine(string(r.value)))
	}
	switch string(r.path) {
	case "/Ntry":
		raw := clipped(r.text[r.entry.start:r.xml.InputOffset()], rowShown)
		r.stmt.takeEntry(r.entry, raw, r.told)
	case "/Bal":
		r.stmt.takeBalance(*r.balance)
		r.balance = nil
	}
	r.path = r.path[:strings.LastIndexByte(string(r.path), '/')]
	r.leaf = false
	return nil
}

func (r *camtReader) addText(text []byte) error {
	if r.stmt == nil || !r.leaf {
		return nil
	}
	if len(r.value)+len(text) > MaxRecordBytes {
		return refuse(ClassMalformed, r.rows, "Entry %d holds a text that is longer than any bank's. This is no bank's statement.", r.rows)
	}
	r.value = append(r.value, text...)
	return nil
}

// take keeps what stands in an element of a Stmt.
func (r *camtReader) take(path, value string) {
	if value == "" {
		return
	}
	if inEntry, ok := strings.CutPrefix(path, "/Ntry/"); ok {
		r.entry.take(inEntry, value, r.ccy)
		return
	}
	if inBalance, ok := strings.CutPrefix(path, "/Bal/"); ok {
		r.balance.take(inBalance, value, r.ccy)
		return
	}
	switch path {
	case "/Acct/Id/IBAN", "/Acct/Id/Othr/Id", "/Acct/Id/BBAN", "/Acct/Id/UPIC", "/Acct/Id/PrtryAcct/Id":
		r.stmt.account = compact(value)
	case "/Acct/Ccy":
		r.stmt.currency = currencyCode(value)
	case "/FrToDt/FrDtTm":
		r.stmt.from = value
	case "/FrToDt/ToDtTm":
		r.stmt.until = value
	case "/StmtPgntn/PgNb":
		r.stmt.page = countOf(value)
	case "/Id", "/ElctrncSeqNb", "/LglSeqNb":
		if len(r.stmt.ids) < rowShown {
			r.stmt.ids += path + " " + value
		}
	case "/StmtPgntn/LastPgInd":
		r.stmt.carried = value == "false" || value == "0"
	}
}

func attribute(element xml.StartElement, name string) string {
	for _, a := range element.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
