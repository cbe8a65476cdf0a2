package statement

import (
	"bytes"
	"unicode/utf8"
)

// askEncoding shows the first line that is not ASCII as each encoding reads it. A file without such a line gives nothing to choose by.
func askEncoding(data []byte, row int) *Question {
	line := firstLineBeyondASCII(data)
	q := &Question{Hint: "encoding", Row: row}
	for _, c := range legacyEncodings() {
		decoded, err := c.enc.NewDecoder().Bytes(line)
		if err != nil || bytes.ContainsRune(decoded, utf8.RuneError) {
			continue
		}
		if meaning := short(string(decoded)); meaning != "" {
			q.Answers = append(q.Answers, Answer{Value: c.name, Meaning: meaning})
		}
	}
	return q
}

func firstLineBeyondASCII(data []byte) []byte {
	at := bytes.IndexFunc(data, func(r rune) bool { return r >= utf8.RuneSelf })
	if at < 0 {
		return nil
	}
	start := bytes.LastIndexAny(data[:at], "\r\n") + 1
	end := len(data)
	if n := bytes.IndexAny(data[at:], "\r\n"); n >= 0 {
		end = at + n
	}
	return data[max(start, at-100):min(end, at+200)]
}
