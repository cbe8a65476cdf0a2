package store

// itemRows is how many of them are written by one statement: more than of other rows, as the database holds them against what lies between the
// first and the last that they refer to.
const itemRows = 5 * pieceRows

// itemColumns are the lines and postings of many matches or breaks, as columns.
type itemColumns struct {
	lineOwners, lineIDs               array[int64]
	postingOwners, seqs, postingLines array[int64]
}

func (c *itemColumns) add(r *run, owner int64, postings, lines []int) {
	for _, i := range lines {
		c.lineOwners, c.lineIDs = append(c.lineOwners, owner), append(c.lineIDs, r.lines[i].ID)
	}
	for _, i := range postings {
		c.postingOwners, c.seqs = append(c.postingOwners, owner), append(c.seqs, r.entries[i].Seq)
		c.postingLines = append(c.postingLines, int64(r.entries[i].Line))
	}
}

// insert writes the items; the names of the tables and of the column are constants of this package.
func (c *itemColumns) insert(r *run, lineTable, postingTable, ownerColumn string) error {
	if err := inPieces(len(c.lineIDs), itemRows, r.progress, func(from, to int) error {
		_, err := exec(r.tx, `INSERT INTO `+lineTable+` (book_id, `+ownerColumn+`, line_id, live)
		SELECT ?, u.owner, u.line_id, true FROM unnest(?::bigint[], ?::bigint[]) AS u (owner, line_id)`,
			r.actor.Book.ID, c.lineOwners[from:to], c.lineIDs[from:to])
		return err
	}); err != nil {
		return err
	}
	return inPieces(len(c.seqs), itemRows, r.progress, func(from, to int) error {
		_, err := exec(r.tx, `INSERT INTO `+postingTable+` (book_id, `+ownerColumn+`, seq, line, live)
		SELECT ?, u.owner, u.seq, u.line, true FROM unnest(?::bigint[], ?::bigint[], ?::integer[]) AS u (owner, seq, line)`,
			r.actor.Book.ID, c.postingOwners[from:to], c.seqs[from:to], c.postingLines[from:to])
		return err
	})
}
