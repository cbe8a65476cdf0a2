package statement

import "strings"

// unwrapped undoes what a second program did to a whole CSV file: each row in quotes as if it were one cell, or cells in single quotes. Each
// physical line stays one. A file in which one line is otherwise is left as it is.
func unwrapped(text string) string {
	first := strings.TrimLeft(text, " \t\r\n")
	if first == "" || first[0] != '"' && first[0] != '\'' {
		return text
	}
	unwrap := rowInQuotes
	if first[0] == '\'' {
		unwrap = singleQuotes(text)
	}
	if unwrap == nil {
		return text
	}
	var b strings.Builder
	for start := 0; start < len(text); {
		end, next := len(text), len(text)
		if n := strings.IndexAny(text[start:], "\r\n"); n >= 0 {
			end, next = start+n, start+n+1
		}
		line := text[start:end]
		if strings.TrimSpace(line) != "" {
			if len(line) > MaxRecordBytes {
				return text
			}
			inner, ok := unwrap(strings.TrimSpace(line))
			if !ok {
				return text
			}
			line = inner
		}
		if start == 0 {
			b.Grow(len(text))
		}
		b.WriteString(line)
		b.WriteString(text[end:next])
		start = next
	}
	return b.String()
}

// rowInQuotes takes the quotes off a row that is one cell: "2026-03-02,""Rent, March"",-500.00".
func rowInQuotes(line string) (string, bool) {
	line = strings.TrimRight(line, delimiters)
	if len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' {
		return "", false
	}
	inner := strings.ReplaceAll(line[1:len(line)-1], `""`, "\x00")
	if strings.Contains(inner, `"`) || !strings.ContainsAny(inner, delimiters) {
		return "", false
	}
	return strings.ReplaceAll(inner, "\x00", `"`), true
}

// singleQuotes gives the way to read rows whose cells all stand in single quotes, nil when the first row's do not.
func singleQuotes(text string) func(line string) (string, bool) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for _, delim := range delimiters {
		between := "'" + string(delim) + "'"
		if !strings.Contains(line, between) {
			continue
		}
		return func(line string) (string, bool) {
			if len(line) < 2 || line[0] != '\'' || line[len(line)-1] != '\'' {
				return "", false
			}
			inner := strings.ReplaceAll(line[1:len(line)-1], `"`, `""`)
			return `"` + strings.ReplaceAll(strings.ReplaceAll(inner, between, `"`+string(delim)+`"`), "''", "'") + `"`, true
		}
	}
	return nil
}
