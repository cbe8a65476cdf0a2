package ui

import (
	"testing"
	"time"
)

func TestAgeIsInTheLargestUnit(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]time.Duration{
		"now": 59 * time.Second, "52 min": 52*time.Minute + 30*time.Second, "47 h": 47*time.Hour + 59*time.Minute, "2 d": 48 * time.Hour, "1,000 d": 24000 * time.Hour,
	} {
		if got := (Format{}).Age(d); got != want {
			t.Errorf("%s is written %q, want %q", d, got, want)
		}
	}
}
