package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

func replayCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "take in the messages of a file, one a line, each of them once",
		ArgsUsage: "FILE.ndjson",
		Description: "A line is {\"source\":…,\"message_id\":…,\"type\":…,\"data\":{…}}; the file - is standard input. The same file can be replayed again: " +
			"what was taken in is a duplicate then.",
		Flags: append(p.databaseFlags(), p.bookFlag(),
			&cli.StringFlag{Name: settingAs, Sources: p.from("DAYBOOK_INBOX_USER"),
				Usage: "record them in the name of this user, by e-mail address, who needs the right to post; without it, of the only one who has that"}),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Len() != 1 {
				return badInput("replay takes one file, and was given %d", c.Args().Len())
			}
			file, err := p.openInput(c.Args().First())
			if err != nil {
				return err
			}
			defer file.Close()
			return p.withBooks(ctx, c, func(books *store.Store) error {
				actor, err := inboxActor(ctx, books, c.String(settingBook), c.String(settingAs))
				if err != nil {
					return err
				}
				return p.replay(ctx, books, actor, file)
			})
		},
	}
}

const settingAs = "as"

// openInput opens a file, or standard input for -.
func (p *program) openInput(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.stdin), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, badInput("cannot read %s: %v", name, errors.Unwrap(err))
	}
	return file, nil
}

// replay takes in one line after the other: what a message needs may have come with an earlier one. It prints a line of counts, and answers no when a
// message was not applied in the end.
func (p *program) replay(ctx context.Context, books *store.Store, actor store.Actor, file io.Reader) error {
	r := replaying{books: books, actor: actor, kept: map[messageName]bool{}}
	err := r.take(ctx, file)
	if err == nil {
		err = r.settle(ctx)
	}
	failed := len(r.failed)
	fmt.Fprintf(p.stdout, "delivered=%d applied=%d duplicates=%d failed=%d\n", r.applied+r.duplicates+failed, r.applied, r.duplicates, failed)
	for _, line := range r.failed {
		fmt.Fprintf(p.stderr, "line %d: %s\n", line.number, line.reason())
	}
	if err == nil && failed > 0 {
		return answerNo("%d of %d messages were not applied", failed, r.applied+r.duplicates+failed)
	}
	return err
}

// replaying is a file of messages on its way into a book.
type replaying struct {
	books               *store.Store
	actor               store.Actor
	applied, duplicates int
	failed              []replayedLine
	kept                map[messageName]bool // those that came and were not applied then; true for those that were counted as applied since
}

type messageName struct{ source, id string }

// replayedLine is a line that was not applied. One that was kept has a state.
type replayedLine struct {
	number  int
	name    messageName
	state   store.InboxState
	problem error
}

func (l replayedLine) reason() string {
	if l.state == "" {
		return oneLine(l.problem)
	}
	return string(l.state) + ": " + oneLine(l.problem)
}

// take takes in all lines. Blank ones are passed over.
func (r *replaying) take(ctx context.Context, file io.Reader) error {
	lines := newLineReader(file, inbox.MaxBytes)
	for {
		text, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLongLine):
			r.failed = append(r.failed, replayedLine{number: lines.number, problem: inbox.TooLarge(lines.size)})
			continue
		case err != nil:
			return fmt.Errorf("read line %d: %w", lines.number, err)
		case len(text) == 0:
			continue
		}
		if err := r.deliver(ctx, lines.number, text); err != nil {
			return fmt.Errorf("line %d and what follows are not taken in, replay the file again: %s", lines.number, oneLine(err))
		}
	}
}

// deliver takes in one line. Error: only for what is no fault of the line.
func (r *replaying) deliver(ctx context.Context, number int, text []byte) error {
	var receipt store.InboxReceipt
	m, err := inbox.Read(text)
	if err == nil {
		receipt, err = r.books.Receive(ctx, r.actor, inbox.ByFile, m)
	}
	name := messageName{m.Source, m.ID}
	switch kind := ledger.KindOf(err); {
	case err != nil && (kind == ledger.KindInternal || kind == ledger.KindBusy):
		return err
	case err != nil:
		r.failed = append(r.failed, replayedLine{number: number, problem: err})
	case receipt.Result == store.InboxApplied:
		r.countApplied(name)
	case receipt.Result == store.InboxDuplicate:
		r.duplicates++
	default:
		r.failed = append(r.failed, replayedLine{number, name, receipt.Result, receipt.Problem})
		if _, kept := r.kept[name]; !kept {
			r.kept[name] = false
		}
	}
	return nil
}

// countApplied counts a message as applied once, whichever of its lines did it.
func (r *replaying) countApplied(name messageName) {
	counted, kept := r.kept[name]
	if counted {
		r.duplicates++
		return
	}
	r.applied++
	if kept {
		r.kept[name] = true
	}
}

// settle looks once more at what was kept: what it waited for may have come with a later line.
func (r *replaying) settle(ctx context.Context) error {
	var failed []replayedLine
	for _, line := range r.failed {
		if line.state == store.InboxWaiting || line.state == store.InboxFailed {
			m, err := r.books.InboxMessage(ctx, r.actor, line.name.source, line.name.id)
			if err != nil {
				return fmt.Errorf("look at the message of line %d again: %w", line.number, err)
			}
			if m.State == store.InboxApplied {
				r.countApplied(line.name)
				continue
			}
		}
		failed = append(failed, line)
	}
	r.failed = failed
	return nil
}
