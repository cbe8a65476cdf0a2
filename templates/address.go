package templates

import "strconv"

// BreakURL is the address of a break, or of what is done to it: BreakURL(12, "resolve").
func (b Book) BreakURL(id int64, action ...string) string { return b.numbered("breaks", id, action) }

// ReconciliationURL is the address of a reconciliation.
func (b Book) ReconciliationURL(id int64) string { return b.numbered("reconciliations", id, nil) }

// RequestURL is the address of a request in the queue.
func (b Book) RequestURL(id int64) string {
	return b.URL("approvals") + "?id=" + strconv.FormatInt(id, 10)
}

// ApprovalURL is where a request is decided: ApprovalURL(58, "approve").
func (b Book) ApprovalURL(id int64, action string) string {
	return b.numbered("approvals", id, []string{action})
}

func (b Book) numbered(room string, id int64, action []string) string {
	return b.URL(append([]string{room, strconv.FormatInt(id, 10)}, action...)...)
}
