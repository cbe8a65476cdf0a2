package reconbench

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"strconv"
	"time"
)

// plainRow is a line as the plain program keeps it.
type plainRow struct {
	id, date, currency, reference, text string
	minor                               int64
}

// measurePlain is the yardstick: it reads both files with encoding/csv, keeps both sides, finds postings in a map by reference, and
// matches a bank line with the posting of its reference when the amounts agree. Nothing else.
func measurePlain(dir string) (run Run, err error) {
	began := time.Now()
	postings, err := readPlain(ledgerFile(dir))
	if err != nil {
		return run, err
	}
	lines, err := readPlain(bankFile(dir))
	if err != nil {
		return run, err
	}
	run.ReadSeconds = rounded(time.Since(began).Seconds())
	run.Postings, run.BankLines = len(postings), len(lines)
	byReference := make(map[string]int, len(postings))
	for i := range postings {
		byReference[postings[i].reference] = i
	}
	matched := make([]int, len(lines))
	for i := range lines {
		matched[i] = -1
		if p, found := byReference[lines[i].reference]; found && postings[p].minor == lines[i].minor {
			matched[i] = p
			run.Matches++
		}
	}
	return run, nil
}

func readPlain(path string) (all []plainRow, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows := csv.NewReader(file)
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		minor, err := strconv.ParseInt(row[2], 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, plainRow{row[0], row[1], row[3], row[4], row[5], minor})
	}
}
