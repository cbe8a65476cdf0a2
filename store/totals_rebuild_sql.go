package store

// What is kept and what the postings sum to, for the rebuild: queries of the book @book.
const (
	findWrongAccounts = `
		SELECT coalesce(k.account_id, f.account_id) AS account_id, '' AS effective_on, '' AS recorded_on, '' AS currency,
		       coalesce(f.debit, 0)::text AS debit_sum, coalesce(f.credit, 0)::text AS credit_sum
		  FROM (SELECT account_id, debit_minor, credit_minor FROM account_totals WHERE book_id = @book) k
		  FULL JOIN (SELECT p.account_id, ` + sumPostings + ` FROM postings p WHERE p.book_id = @book GROUP BY p.account_id) f ON f.account_id = k.account_id
		 WHERE coalesce(k.debit_minor, 0) <> coalesce(f.debit, 0) OR coalesce(k.credit_minor, 0) <> coalesce(f.credit, 0)
		 ORDER BY 1 LIMIT @limit`

	findWrongDays = `
		SELECT coalesce(k.account_id, f.account_id) AS account_id, coalesce(k.effective_on, f.effective_on)::text AS effective_on,
		       coalesce(k.recorded_on, f.recorded_on)::text AS recorded_on, '' AS currency,
		       coalesce(f.debit, 0)::text AS debit_sum, coalesce(f.credit, 0)::text AS credit_sum
		  FROM (SELECT account_id, effective_on, recorded_on, debit_minor, credit_minor FROM account_days WHERE book_id = @book) k
		  FULL JOIN (` + sumDays + ` WHERE e.book_id = @book ` + groupDays + `) f
		    ON f.account_id = k.account_id AND f.effective_on = k.effective_on AND f.recorded_on = k.recorded_on
		 WHERE coalesce(k.debit_minor, 0) <> coalesce(f.debit, 0) OR coalesce(k.credit_minor, 0) <> coalesce(f.credit, 0)
		 ORDER BY 1, 2, 3 LIMIT @limit`

	findWrongCurrencies = `
		SELECT 0 AS account_id, '' AS effective_on, '' AS recorded_on, coalesce(k.currency, f.currency) AS currency,
		       coalesce(f.debit, 0)::text AS debit_sum, '0' AS credit_sum
		  FROM (SELECT currency, debit_minor FROM currency_totals WHERE book_id = @book) k
		  FULL JOIN (SELECT p.currency, ` + sumPostings + ` FROM postings p WHERE p.book_id = @book GROUP BY p.currency) f ON f.currency = k.currency
		 WHERE coalesce(k.debit_minor, 0) <> coalesce(f.debit, 0)
		 ORDER BY 4 LIMIT @limit`

	sumDays = `SELECT p.account_id, e.effective_on, CAST(e.recorded_at AT TIME ZONE 'UTC' AS date) AS recorded_on, ` + sumPostings + `
		         FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq`
	groupDays = `GROUP BY p.account_id, e.effective_on, CAST(e.recorded_at AT TIME ZONE 'UTC' AS date)`
)

// Rows are set in the order of their keys, and only where they are not right already.
const (
	setAccounts = `
		INSERT INTO account_totals AS k (book_id, account_id, debit_minor, credit_minor)
		SELECT @book, w.account_id, w.debit + coalesce(l.debit, 0), w.credit + coalesce(l.credit, 0)
		  FROM unnest(CAST(@accounts AS bigint[]), CAST(CAST(@debits AS text[]) AS numeric[]), CAST(CAST(@credits AS text[]) AS numeric[])) AS w (account_id, debit, credit)
		  LEFT JOIN (SELECT p.account_id, ` + sumPostings + ` FROM postings p WHERE p.book_id = @book AND p.seq > @seq GROUP BY p.account_id) l
		    ON l.account_id = w.account_id
		 ORDER BY w.account_id
		ON CONFLICT (book_id, account_id) DO UPDATE SET debit_minor = excluded.debit_minor, credit_minor = excluded.credit_minor
		 WHERE (k.debit_minor, k.credit_minor) <> (excluded.debit_minor, excluded.credit_minor)`

	setDays = `
		INSERT INTO account_days AS k (book_id, account_id, effective_on, recorded_on, debit_minor, credit_minor)
		SELECT @book, w.account_id, w.effective_on, w.recorded_on, w.debit + coalesce(l.debit, 0), w.credit + coalesce(l.credit, 0)
		  FROM unnest(CAST(@accounts AS bigint[]), CAST(CAST(@effective AS text[]) AS date[]), CAST(CAST(@recorded AS text[]) AS date[]), CAST(CAST(@debits AS text[]) AS numeric[]), CAST(CAST(@credits AS text[]) AS numeric[]))
		       AS w (account_id, effective_on, recorded_on, debit, credit)
		  LEFT JOIN (` + sumDays + ` WHERE e.book_id = @book AND e.seq > @seq ` + groupDays + `) l
		    ON l.account_id = w.account_id AND l.effective_on = w.effective_on AND l.recorded_on = w.recorded_on
		 ORDER BY w.account_id, w.effective_on, w.recorded_on
		ON CONFLICT (book_id, account_id, effective_on, recorded_on) DO UPDATE SET debit_minor = excluded.debit_minor, credit_minor = excluded.credit_minor
		 WHERE (k.debit_minor, k.credit_minor) <> (excluded.debit_minor, excluded.credit_minor)`

	setCurrencies = `
		INSERT INTO currency_totals AS k (book_id, currency, debit_minor)
		SELECT @book, w.currency, w.debit + coalesce(l.debit, 0)
		  FROM unnest(CAST(@currencies AS text[]), CAST(CAST(@debits AS text[]) AS numeric[])) AS w (currency, debit)
		  LEFT JOIN (SELECT p.currency, ` + sumPostings + ` FROM postings p WHERE p.book_id = @book AND p.seq > @seq GROUP BY p.currency) l
		    ON l.currency = w.currency
		 ORDER BY w.currency
		ON CONFLICT (book_id, currency) DO UPDATE SET debit_minor = excluded.debit_minor
		 WHERE k.debit_minor <> excluded.debit_minor`
)
