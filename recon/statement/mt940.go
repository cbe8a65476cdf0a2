package statement

// readMT940 reads SWIFT MT940 and MT942.
func readMT940(_ string, _ *told) (*Statement, error) {
	return nil, unsupported("an MT940 message", true)
}
