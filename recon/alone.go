package recon

import (
	"fmt"

	"daybook/store/ledger"
)

// Alone is the break of a line that stands by itself: pass 9 for one line. Bank says that it is the bank's; why is only given for timing,
// which is born carried forward.
func Alone(bank bool, day ledger.Date, period Period, rules Rules) (t BreakType, why string, resolution Resolution) {
	switch {
	case bank:
		return MissingInLedger, "", ""
	case period.Stated && !period.To.IsZero() && abs(int(dayOf(day))-int(dayOf(period.To))) <= rules.orDefault().WindowDays:
		return Timing, fmt.Sprintf("dated %s, the period ends on %s: expected on the next statement", day, period.To), CarriedForward
	}
	return MissingInBank, "", ""
}
