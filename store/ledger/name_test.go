package ledger

import "testing"

func TestIsName(t *testing.T) {
	t.Parallel()
	for name, is := range map[string]bool{
		"Bank, operating": true, "Müller & Søn": true, "بنك": true, "": false, " ": false, "a\u202ebc": false, "a\u2067b": false, "two\nlines": false,
	} {
		if IsName(name) != is {
			t.Errorf("%q is a name: %v", name, !is)
		}
	}
}
