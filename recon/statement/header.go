package statement

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"daybook/store/ledger"
)

// fingerprint names the layout of a sheet: equal for two files whose columns have the same names in the same order, and without a header
// for two with as many columns that hold days, figures and texts in the same places. "" without a table.
func (s *sheet) fingerprint() string {
	switch {
	case len(s.header) > 0:
		return headerFingerprint(s.header)
	case s.firstBody < 0:
		return ""
	}
	var rows [][]string
	for _, r := range s.body[:min(len(s.body), sampleRows)] {
		rows = append(rows, s.cells(r, nil))
	}
	return contentFingerprint(rows)
}

func headerFingerprint(header []string) string {
	h := sha256.New()
	for _, name := range header {
		folded := fold(name)
		h.Write([]byte(strconv.Itoa(len(folded)) + ":" + folded))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// contentFingerprint tells days and figures from all the rest only: a column that is empty this month may hold texts the next.
func contentFingerprint(rows [][]string) string {
	body := bodySample(rows, 0)
	width := 0
	for _, cells := range body {
		width = max(width, len(cells))
	}
	kinds := strings.Builder{}
	kinds.WriteString("without a header\n")
	for _, p := range profileColumns(body, width) {
		switch {
		case p.nearlyAll(p.dates):
			kinds.WriteByte('d')
		case p.nearlyAll(p.figures) && p.money > 0:
			kinds.WriteByte('f')
		default:
			kinds.WriteByte('-')
		}
	}
	sum := sha256.Sum256([]byte(kinds.String()))
	return hex.EncodeToString(sum[:])
}

// Headers gives the fingerprints that a file may be known by, each with the physical line that would be its header: that of the table
// that is found, and of every other among the first rows, since a header in words that are not known here may have been told by its row.
// A file without a header has its fingerprint under row 0, and so has a bank's message. A file that is neither has none.
func Headers(data []byte, hints Hints) (map[string]int, error) {
	t, err := hints.resolve()
	if err != nil {
		return nil, err
	}
	text, _, err := readText(data, t)
	if err != nil {
		return nil, nil //nolint:nilerr // what cannot be read has no header
	}
	if format := formatOf(text); format.read != nil {
		return map[string]int{format.settings().HeaderFingerprint: 0}, nil
	} else if format.called != "" {
		return nil, nil
	}
	text = unwrapped(text)
	best, start, firstRow := bestLayout(text, t)
	if best.score < 0 {
		return nil, nil
	}
	split := splitter{text: text, delim: best.delim}
	records, _ := split.records(start, firstRow, sampleRows)
	found := map[string]int{}
	var rows [][]string
	for i, r := range records {
		rows = append(rows, split.cells(r, nil))
		if i < headerRows && len(trimCells(rows[i])) > 1 {
			found[headerFingerprint(rows[i])] = r.row
		}
	}
	if best.headerAt < 0 && best.firstBody >= 0 {
		found[contentFingerprint(rows[best.firstBody:])] = 0
	}
	return found, nil
}

// CheckColumns refuses hints that name a column or a header which a file does not have, as a ledger.Error of KindInvalid. A file that is
// no table is not judged.
func CheckColumns(data []byte, hints Hints) error {
	t, err := hints.resolve()
	if err != nil {
		return err
	}
	if text, ok := readTable(data, t); ok {
		best, _, _ := bestLayout(text, t)
		err = best.err
	}
	var wrong *ledger.Error
	if errors.As(err, &wrong) {
		return wrong
	}
	return nil
}
