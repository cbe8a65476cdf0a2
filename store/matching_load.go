package store

// setAside says of a break b that people have it: set aside as no break, or waiting for one of them to decide. A matching leaves it alone.
const setAside = `(b.resolution IS NOT DISTINCT FROM 'not_a_break' OR b.status = 'waiting_for_approval')`

// loadLines reads the lines of the account that are in no live match, or those that are. Lines that are set aside stay out.
func (r *run) loadLines(paired bool) (lines []lineItem, err error) {
	if paired && !r.anyMatched {
		return nil, nil
	}
	err = queryEach(r.tx, func(scan func(...any) error) error {
		var l lineItem
		if err := scan(&l.ID, &l.BookedOn, &l.AmountMinor, &l.Currency, &l.Reference, &l.Description); err != nil {
			return err
		}
		lines = append(lines, l)
		r.progress.add(1)
		return nil
	}, `
		SELECT l.id, l.booked_on, l.amount_minor, l.currency, l.reference, l.description
		  FROM statement_lines l
		 WHERE l.book_id = ? AND l.account_id = ? AND NOT l.undone AND l.statement_id <> ?
		   AND (NOT ? OR l.booked_on >= ?)`+
		r.taken(paired, `(SELECT FROM match_lines m WHERE m.book_id = l.book_id AND m.line_id = l.id AND m.live)`,
			`(SELECT FROM break_lines i JOIN breaks b ON b.book_id = i.book_id AND b.id = i.break_id
			   WHERE i.book_id = l.book_id AND i.line_id = l.id AND i.live AND `+setAside+`)`)+`
		 ORDER BY l.id`, r.actor.Book.ID, r.account.ID, r.brought, paired, r.period.From.AddDays(-pairedDays))
	return lines, err
}

// lookWhatIsTaken looks whether the account has anything matched or set aside: where it has nothing, as before its first statement, rows are not
// asked one by one.
func (r *run) lookWhatIsTaken() error {
	taken, err := queryOne[struct{ Matched, Aside bool }](r.tx, "no answer", `
		SELECT EXISTS (SELECT FROM matches m WHERE m.book_id = @book AND m.account_id = @account AND m.live) AS matched,
		       EXISTS (SELECT FROM breaks b WHERE b.book_id = @book AND b.account_id = @account AND `+setAside+`) AS aside`,
		map[string]any{"book": r.actor.Book.ID, "account": r.account.ID})
	r.anyMatched, r.anyAside = taken.Matched, taken.Aside
	return err
}

// taken is the condition that something is matched, or is not, and that it is not set aside.
func (r *run) taken(paired bool, matched, aside string) (condition string) {
	switch {
	case paired:
		condition = ` AND EXISTS ` + matched
	case r.anyMatched:
		condition = ` AND NOT EXISTS ` + matched
	}
	if r.anyAside {
		condition += ` AND NOT EXISTS ` + aside
	}
	return condition
}

// loadPostings is loadLines for the ledger's side, up to the period's end and the window behind it. The account decides which postings are
// read, not the day: days + 0 keep Postgres, where it does not know the tables yet, from reading all entries of the days for each posting.
func (r *run) loadPostings(paired bool) (postings []postingItem, err error) {
	if paired && !r.anyMatched {
		return nil, nil
	}
	err = queryEach(r.tx, func(scan func(...any) error) error {
		var p postingItem
		if err := scan(&p.Seq, &p.Line, &p.EffectiveOn, &p.AmountMinor, &p.Currency, &p.Reference, &p.Description, &p.Reverses, &p.Correction); err != nil {
			return err
		}
		postings = append(postings, p)
		r.progress.add(1)
		return nil
	}, `
		SELECT p.seq, p.line, e.effective_on, p.amount_minor, p.currency, coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference, e.description,
		       e.reverses IS NOT NULL AS reverses,
		       CASE WHEN e.reverses IS NOT NULL THEN e.reverses
		            WHEN EXISTS (SELECT FROM entries r WHERE r.book_id = e.book_id AND r.reverses = e.seq) THEN e.seq
		            ELSE e.replaces END AS correction
		  FROM postings p JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
		 WHERE p.book_id = ? AND p.account_id = ? AND p.seq <= ? AND e.effective_on + 0 <= ?
		   AND (NOT ? OR e.effective_on + 0 >= ?)`+
		r.taken(paired, `(SELECT FROM match_postings m WHERE m.book_id = p.book_id AND m.seq = p.seq AND m.line = p.line AND m.live)`,
			`(SELECT FROM break_postings i JOIN breaks b ON b.book_id = i.book_id AND b.id = i.break_id
			   WHERE i.book_id = p.book_id AND i.seq = p.seq AND i.line = p.line AND i.live AND `+setAside+`)`)+`
		 ORDER BY p.seq, p.line`, r.actor.Book.ID, r.account.ID, r.seq, r.period.To.AddDays(r.rules.WindowDays), paired, r.period.From.AddDays(-pairedDays))
	return postings, err
}
