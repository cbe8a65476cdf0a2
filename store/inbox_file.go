package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// InboxRefused is the result of a line of a file that is no message, or whose id came before with other data. Nothing is kept of the line.
const InboxRefused InboxState = "refused"

// InboxLine is what became of a line of a file, which is counted from 1.
type InboxLine struct {
	Line       int
	Source, ID string
	Result     InboxState
	Problem    *ledger.Error
}

// InboxFileResult is what a file came to: Delivered = Applied + Duplicates + Waiting + Failed, where Failed counts all that needs a person. Lines are those
// that were neither applied nor duplicates, the first thousand of them.
type InboxFileResult struct {
	Delivered, Applied, Duplicates, Waiting, Failed int
	Lines                                           []InboxLine
}

const maxInboxLines = 1000

// ReceiveFile takes a file of messages in, NDJSON, one after the other as Receive does, each for itself. Blank lines are passed over. Errors:
// KindForbidden; any other came up in the midst, after what the result says: the same file can be sent again.
func (s *Store) ReceiveFile(ctx context.Context, actor Actor, data []byte) (result InboxFileResult, err error) {
	if err := actor.Need(RightPost); err != nil {
		return InboxFileResult{}, err
	}
	number := 0
	for text := range bytes.SplitSeq(data, []byte("\n")) {
		number++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		line := InboxLine{Line: number}
		m, err := inbox.Read(text)
		if err == nil {
			line.Source, line.ID = m.Source, m.ID
			var receipt InboxReceipt
			receipt, err = s.Receive(ctx, actor, inbox.ByFile, m)
			line.Result, line.Problem = receipt.Result, receipt.Problem
		}
		if err != nil {
			line.Result = InboxRefused
			if !errors.As(err, &line.Problem) || line.Problem.Kind == ledger.KindInternal || line.Problem.Kind == ledger.KindBusy {
				return result, fmt.Errorf("take line %d in: %w", number, err)
			}
		}
		result.add(line)
	}
	return result, nil
}

func (r *InboxFileResult) add(line InboxLine) {
	r.Delivered++
	switch line.Result {
	case InboxApplied:
		r.Applied++
		return
	case InboxDuplicate:
		r.Duplicates++
		return
	case InboxWaiting:
		r.Waiting++
	default:
		r.Failed++
	}
	if len(r.Lines) < maxInboxLines {
		r.Lines = append(r.Lines, line)
	}
}
