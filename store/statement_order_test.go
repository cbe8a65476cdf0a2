package store_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// dayFile is a file of the bank over some days: its rows as day:cents:reference, the balance after them where it states one.
type dayFile struct {
	from, to string
	rows     []string
	stated   bool
}

// bankDays are the files of a bank, in the order of their days, each with what differs: a line of the bank alone, an amount that differs, a line
// that comes late. The first two share a day.
func bankDays(stated func(i int) bool) []dayFile {
	files := []dayFile{
		{from: "2026-03-02", to: "2026-03-03", rows: []string{"02:1000:t1", "03:333:bank only"}},
		{from: "2026-03-03", to: "2026-03-05", rows: []string{"03:333:bank only", "03:77:second of the day", "04:2050:t2", "05:500:t3"}},
		{from: "2026-03-06", to: "2026-03-09", rows: []string{"06:40:t5", "07:-120:fee", "08:900:t6", "09:700:t4"}},
	}
	for i := range files {
		files[i].stated = stated(i)
	}
	return files
}

// upload sends a file for an account. Every true line up to its end counts in the balance that it states.
func (f dayFile) upload(t *testing.T, b bundle, account string, all []dayFile) {
	t.Helper()
	rows := map[string]int64{}
	for _, file := range all {
		for _, row := range file.rows {
			var day, minor int64
			_, err := fmt.Sscanf(row, "%d:%d:", &day, &minor)
			ok(t, err)
			rows[row] = minor
		}
	}
	var text strings.Builder
	text.WriteString("Date,Amount,Balance,Reference\n")
	for _, row := range f.rows {
		parts := strings.SplitN(row, ":", 3)
		balance := ""
		if f.stated {
			minor := int64(10_000)
			for other, amount := range rows {
				if other[:2] < parts[0] || other[:2] == parts[0] && (other == row || isBefore(f.rows, other, row)) {
					minor += amount
				}
			}
			balance = plain(minor)
		}
		fmt.Fprintf(&text, "2026-03-%s,%s,%s,%s\n", parts[0], plain(rows[row]), balance, parts[2])
	}
	data := text.String()
	if !f.stated {
		data = strings.ReplaceAll(strings.Replace(data, "Balance,", "", 1), ",,", ",")
	}
	_, _, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: account, FileName: f.from + ".csv", Data: []byte(data),
		PeriodFrom: ledger.MustDate(f.from), PeriodTo: ledger.MustDate(f.to)})
	ok(t, err)
}

func isBefore(rows []string, a, b string) bool {
	for _, row := range rows {
		if row == a || row == b {
			return row == a
		}
	}
	return true
}

func plain(minor int64) string {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	return fmt.Sprintf("%s%d.%02d", sign, minor/100, minor%100)
}

// ordersOf gives every order of n files.
func ordersOf(n int) (orders [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, order := range ordersOf(n - 1) {
		for at := range n {
			next := append(append(append([]int{}, order[:at]...), n-1), order[at:]...)
			orders = append(orders, next)
		}
	}
	return orders
}

// TestUploads_InWhateverOrderOfTheirDaysEveryProofHolds uploads the files of a bank in every order, and recomputes every proof after each; at the
// end what is unexplained at the last day does not depend on the order.
func TestUploads_InWhateverOrderOfTheirDaysEveryProofHolds(t *testing.T) {
	t.Parallel()
	for name, stated := range map[string]func(i int) bool{
		"no balance is stated": func(int) bool { return false }, "each states one": func(int) bool { return true },
		"the second states one": func(i int) bool { return i == 1 }, "all but the second do": func(i int) bool { return i != 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, files := setup(t), bankDays(stated)
			last := map[int64][]string{}
			for n, order := range ordersOf(len(files)) {
				account := fmt.Sprintf("bank:%d", n)
				b.open(t, account, ledger.Asset)
				for i, e := range []struct {
					day   string
					minor int64
				}{{"2026-02-20", 10_000}, {"2026-03-02", 1000}, {"2026-03-04", 2000}, {"2026-03-05", 500}, {"2026-03-07", 700}, {"2026-03-06", 40}, {"2026-03-08", 900}, {"2026-03-09", 61}} {
					b.post(t, entry(fmt.Sprintf("%s-%d", account, i), on(e.day), moves(account, "customer:alice", e.minor), noting("reference", fmt.Sprintf("t%d", i))))
				}
				var done []string
				for _, i := range order {
					files[i].upload(t, b, account, files)
					done = append(done, files[i].from)
					for _, fault := range b.faultsOf(t, account) {
						t.Fatalf("after %s: %s", strings.Join(done, ", "), fault)
					}
				}
				r := b.lastOf(t, account)
				last[r.Proof.UnexplainedMinor] = append(last[r.Proof.UnexplainedMinor], strings.Join(done, ", "))
				if want := stated(2); (r.BalanceSource == recon.StatedClosing) != want {
					t.Errorf("the last balance is %s, stated is %v", r.BalanceSource, want)
				}
			}
			if len(last) != 1 {
				t.Errorf("what is unexplained at the end depends on the order: %v", last)
			}
		})
	}
}

// lastOf is the reconciliation of an account that reaches furthest.
func (b bundle) lastOf(t *testing.T, account string) store.Reconciliation {
	t.Helper()
	all, _, err := b.Reconciliations(t.Context(), b.viewer, 0, 100)
	ok(t, err)
	var last store.Reconciliation
	for _, r := range all {
		if r.Account.Code == account && (last.ID == 0 || r.ScopeTo.After(last.ScopeTo)) {
			last = r
		}
	}
	return last
}
