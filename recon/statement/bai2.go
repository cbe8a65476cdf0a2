package statement

// readBAI2 reads BAI2.
func readBAI2(_ string, _ *told) (*Statement, error) { return nil, unsupported("a BAI2 file", true) }
