package main

import "testing"

// TestBenchPages opens each page of a small book and of one that has grown a little. The bench itself fails when a page is not answered.
func TestBenchPages(t *testing.T) {
	t.Parallel()
	measured := map[any]int{}
	for _, line := range benchInOwnCluster(t, "pages", "--seconds", "0.05", "--accounts", "5", "--entries", "1200", "--clients", "1") {
		if line["bench"] != "pages" {
			continue
		}
		measured[line["page"]]++
		if bytes, _ := line["page_bytes"].(float64); bytes < 2000 || line["writer"] != "daybook" || line["clients"] != 1.0 {
			t.Errorf("a page is measured as %v", line)
		}
	}
	if len(measured) != 10 {
		t.Errorf("%d pages are measured, want 10: %v", len(measured), measured)
	}
	for page, count := range measured {
		if count != 2 {
			t.Errorf("%v is measured %d times, want before and after the book has grown", page, count)
		}
	}
}
