package statement

// readCamt reads ISO 20022 camt.053.
func readCamt(_ string, _ *told) (*Statement, error) {
	return nil, unsupported("an ISO 20022 message", true)
}
