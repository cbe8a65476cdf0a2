package statement

// readOFX reads OFX.
func readOFX(_ string, _ *told) (*Statement, error) { return nil, unsupported("an OFX file", true) }
