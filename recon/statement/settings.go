package statement

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Settings is what was detected in a file, to be shown beside it and kept as a profile.
type Settings struct {
	Encoding          string         // as the hint encoding takes it
	Delimiter         string         // one character
	HeaderRow         int            // the physical line of the header, 0 for none
	HeaderFingerprint string         // equal for two files whose columns have the same names in the same order; "" without a header
	DateFormat        string         // as the hint date_format takes it
	Decimal           string         // "." or ",", "" when no amount has decimals
	Columns           []ColumnChoice // in the order of the file
}

// ColumnChoice is one column of the file and what it was taken for.
type ColumnChoice struct {
	Number int    // from 1 at the left
	Name   string // as printed, "" without a header
	Role   string // date, amount, debit, credit, balance, fee, currency, status, direction, description, reference, …; "" for none
}

func (s *sheet) settings(encoding string) Settings {
	set := Settings{Encoding: encoding, Delimiter: string(s.splitter.delim), HeaderRow: s.headerRow, DateFormat: s.dateFormat()}
	for _, r := range []role{roleAmount, roleDebit, roleCredit} {
		if mark := s.forms.marks[r]; mark != 0 {
			set.Decimal = string(mark)
		}
	}
	width := max(len(s.header), s.minWidth)
	for i := range width {
		choice := ColumnChoice{Number: i + 1}
		if i < len(s.header) {
			choice.Name = strings.TrimSpace(s.header[i])
		}
		for r, at := range s.columns {
			if at == i && roleNames[r] != "" && choice.Role == "" {
				choice.Role = roleNames[r]
			}
		}
		set.Columns = append(set.Columns, choice)
	}
	if len(s.header) > 0 {
		set.HeaderFingerprint = headerFingerprint(s.header)
	}
	return set
}

func headerFingerprint(header []string) string {
	h := sha256.New()
	for _, name := range header {
		folded := fold(name)
		h.Write([]byte(strconv.Itoa(len(folded)) + ":" + folded))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// dateFormat writes the order of the most common shape as a hint takes it.
func (s *sheet) dateFormat() string {
	most, format := 0, ""
	for _, shape := range s.survey.shapes() {
		dates := s.survey.dates[shape]
		if dates.count <= most {
			continue
		}
		most = dates.count
		separator := string(shape.separator)
		if shape.separator == 0 {
			separator = ""
		}
		switch shape.kind {
		case named, namedShort, noYearNamed:
			format = map[order]string{dayFirst: "dd mmm yyyy", yearAhead: "yyyy mmm dd"}[s.forms.orders[shape]]
		case noYear:
			format = map[order]string{dayFirst: "dd-mm", monthFirst: "mm-dd"}[s.forms.orders[shape]]
		default:
			format = s.forms.orders[shape].String()
		}
		format = strings.ReplaceAll(format, "-", separator)
	}
	return format
}
