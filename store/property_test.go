package store_test

import (
	"flag"
	"testing"

	"pgregory.net/rapid"
)

// checkSome tries a property of the store a few times, each in its round: one may take a second. With -rapid.checks it is tried as often as that asks for.
// A round that failed is tried on, for the smallest of its kind.
func checkSome(t *testing.T, enough int, property func(r *rapid.T, round int)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	everyOne := checks.Value.String() != checks.DefValue
	round, failed := 0, false
	rapid.Check(t, func(r *rapid.T) {
		if round++; round > enough && !everyOne && !failed {
			return
		}
		holds := false
		defer func() { failed = failed || !holds }()
		property(r, round)
		holds = true
	})
}
