package ui

import "time"

// Age writes how long something has waited, in its largest unit: 52 min, 3 h, 2 d.
func (f Format) Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return f.number(int64(d/time.Minute)) + " min"
	case d < 48*time.Hour:
		return f.number(int64(d/time.Hour)) + " h"
	}
	return f.number(int64(d/(24*time.Hour))) + " d"
}
