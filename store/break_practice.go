package store

import (
	"context"
	"fmt"
	"strings"

	"daybook/recon"
)

// Practice is what people did with breaks similar to one, where they did the same with all: Breaks says with how many. Contra are the accounts
// that the entries for them were posted against. The zero Practice is no agreement, or none to go by.
type Practice struct {
	Breaks     int
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Contra     []string
}

// practiceLooked is how many similar breaks are looked at for what was done with them.
const practiceLooked = 50

// PracticeOf looks what people did with the breaks that are similar to one, as SimilarBreaks finds them. What was matched or reversed says
// nothing about another break.
func (s *Store) PracticeOf(ctx context.Context, actor Actor, id int64) (Practice, error) {
	similar, _, err := s.SimilarBreaks(ctx, actor, id, practiceLooked)
	if err != nil {
		return Practice{}, err
	}
	var ids array[int64]
	for _, b := range similar {
		ids = append(ids, b.ID)
	}
	done, err := query[struct {
		Breaks     int
		Resolution recon.Resolution
		ReasonCode recon.Reason
		Contra     string
	}](s.db.WithContext(ctx), `
		SELECT count(*) AS breaks, d.resolution, d.reason_code, d.contra
		  FROM (SELECT e.resolution, e.reason_code,
		               coalesce((SELECT string_agg(DISTINCT a.code, chr(10) ORDER BY a.code) FROM postings p JOIN accounts a ON a.book_id = p.book_id AND a.id = p.account_id
		                          WHERE p.book_id = b.book_id AND p.seq = e.seq AND p.account_id <> b.account_id), '') AS contra
		          FROM breaks b
		         CROSS JOIN LATERAL (SELECT v.resolution, v.reason_code, v.seq FROM break_events v
		                              WHERE v.book_id = b.book_id AND v.break_id = b.id AND v.event = 'resolved' AND v.user_id IS NOT NULL ORDER BY v.n DESC LIMIT 1) e
		         WHERE b.book_id = ? AND b.id = ANY(?::bigint[]) AND b.status = 'resolved' AND e.resolution = b.resolution
		           AND b.resolution NOT IN ('matched', 'reversed', 'superseded')) d
		 GROUP BY d.resolution, d.reason_code, d.contra LIMIT 2`, actor.Book.ID, ids)
	if err != nil {
		return Practice{}, fmt.Errorf("look what was done with breaks like %d: %w", id, err)
	}
	if len(done) != 1 {
		return Practice{}, nil
	}
	practice := Practice{Breaks: done[0].Breaks, Resolution: done[0].Resolution, ReasonCode: done[0].ReasonCode}
	if done[0].Contra != "" {
		practice.Contra = strings.Split(done[0].Contra, "\n")
	}
	return practice, nil
}
