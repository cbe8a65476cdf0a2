package reconbench

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"daybook/recon"
	"daybook/store/ledger"
)

// The programs whose speed is measured.
const (
	Daybook = "daybook" // recon.Match
	Plain   = "plain"   // what anyone would write in an hour
)

// The goals for a million lines on each side.
const (
	goalTime   = 3
	goalMemory = 4
)

// Run is one program's work on two files, in a process of its own.
type Run struct {
	Program      string  `json:"writer"`
	Postings     int     `json:"postings"`
	BankLines    int     `json:"bank_lines"`
	Matches      int     `json:"matches"`
	ReadSeconds  float64 `json:"read_seconds"`
	MatchSeconds float64 `json:"match_seconds"`
	Seconds      float64 `json:"seconds"`
	CPUSeconds   float64 `json:"cpu_seconds"`
	PerSecond    float64 `json:"per_second"` // bank lines
	PeakMiB      float64 `json:"peak_mib"`
}

// Speed writes a world to two files in a folder, has start run each program on them beside this process, as often as is said and in
// turn, and writes a line for each run and the ratios of the fastest ones.
func Speed(ctx context.Context, plan Plan, dir string, runs int, start func(ctx context.Context, program string) (Run, error), out io.Writer) error {
	if err := writeFiles(plan, dir); err != nil {
		return fmt.Errorf("write the files that are to be matched: %w", err)
	}
	best := map[string]Run{}
	for range runs {
		for _, program := range []string{Plain, Daybook} {
			run, err := start(ctx, program)
			if err != nil {
				return fmt.Errorf("run %s: %w", program, err)
			}
			if known, found := best[program]; !found || run.Seconds < known.Seconds {
				best[program] = run
			}
			line := struct {
				Bench string `json:"bench"`
				Run
			}{"reconcile", run}
			if err := say(out, line); err != nil {
				return err
			}
		}
	}
	ours, plain := best[Daybook], best[Plain]
	lines := []any{atMost("daybook/plain, seconds", ours.Seconds/plain.Seconds, goalTime)}
	if plain.CPUSeconds > 0 { // on a machine that does other things too, this is the one to look at
		lines = append(lines, atMost("daybook/plain, processor seconds", ours.CPUSeconds/plain.CPUSeconds, goalTime))
	}
	if plain.PeakMiB > 0 {
		lines = append(lines, atMost("daybook/plain, peak memory", ours.PeakMiB/plain.PeakMiB, goalMemory))
	}
	return say(out, lines...)
}

// writeFiles makes the world in a function of its own, so that its memory is free again when the programs run.
func writeFiles(plan Plan, dir string) error {
	w := Make(plan)
	return errors.Join(writeItems(ledgerFile(dir), w.Input.Ledger), writeItems(bankFile(dir), w.Input.Bank))
}

func ledgerFile(dir string) string { return filepath.Join(dir, "ledger.csv") }
func bankFile(dir string) string   { return filepath.Join(dir, "bank.csv") }

func writeItems(path string, items []recon.Item) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := csv.NewWriter(bufio.NewWriterSize(file, 1<<16))
	for i := range items {
		item := &items[i]
		if err := out.Write([]string{item.ID, item.Date.String(), strconv.FormatInt(item.AmountMinor, 10), item.Currency, item.Reference, item.Text}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Measure does one program's work on the files of a folder.
func Measure(program, dir string) (Run, error) {
	work := map[string]func(dir string) (Run, error){Daybook: measureDaybook, Plain: measurePlain}[program]
	if work == nil {
		return Run{}, fmt.Errorf("there is no program %q to measure", program)
	}
	began := time.Now()
	run, err := work(dir)
	if err != nil {
		return Run{}, err
	}
	took := time.Since(began).Seconds()
	run.Program, run.Seconds, run.PerSecond = program, rounded(took), rounded(float64(run.BankLines)/took)
	run.CPUSeconds = rounded(cpuSeconds())
	run.MatchSeconds, run.PeakMiB = rounded(took-run.ReadSeconds), rounded(float64(peakKiB())/1024)
	return run, nil
}

func measureDaybook(dir string) (run Run, err error) {
	began := time.Now()
	in := recon.Input{Currency: "EUR", Rules: recon.DefaultRules()}
	if in.Ledger, err = readItems(ledgerFile(dir)); err != nil {
		return run, err
	}
	if in.Bank, err = readItems(bankFile(dir)); err != nil {
		return run, err
	}
	run.ReadSeconds = rounded(time.Since(began).Seconds())
	run.Postings, run.BankLines = len(in.Ledger), len(in.Bank)
	run.Matches = len(recon.Match(in).Matches)
	return run, nil
}

func readItems(path string) (items []recon.Item, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(file)
	rows.ReuseRecord = true
	days := map[string]ledger.Date{} // a statement has few
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return items, nil
		}
		if err != nil {
			return nil, err
		}
		item := recon.Item{ID: row[0], Currency: row[3], Reference: row[4], Text: row[5]}
		known := false
		if item.Date, known = days[row[1]]; !known {
			if item.Date, err = ledger.ParseDate(row[1]); err != nil {
				return nil, err
			}
			days[row[1]] = item.Date
		}
		if item.AmountMinor, err = strconv.ParseInt(row[2], 10, 64); err != nil {
			return nil, err
		}
		if items = append(items, item); len(items) == sample {
			items = slices.Grow(items, int(info.Size()*sample/rows.InputOffset()))
		}
	}
}

// sample is how many rows are read before the rest is counted by the size of the file.
const sample = 1000
