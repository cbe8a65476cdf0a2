package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"daybook/cmd/daybook/demobook"
	"daybook/store"
	"daybook/store/ledger"
)

// do lets happen what a step says, at its time.
func (d *demoFill) do(ctx context.Context, step demobook.Step) error {
	d.clock.at = step.At
	err := d.act(ctx, d.actors[step.By], step)
	if err != nil {
		return fmt.Errorf("what %s did on %s: %w", step.By, ledger.DateOf(step.At), err)
	}
	return nil
}

func (d *demoFill) act(ctx context.Context, actor store.Actor, step demobook.Step) error {
	switch {
	case step.Request != nil:
		return d.request(ctx, actor, *step.Request)
	case step.Approve != nil:
		return d.decide(ctx, actor, *step.Approve, store.Approved)
	case step.Reject != nil:
		return d.decide(ctx, actor, *step.Reject, store.Rejected)
	case step.Upload != nil:
		u := step.Upload
		_, _, err := d.UploadStatement(ctx, actor, "", store.Upload{
			Account: u.Account, FileName: u.File.Name, Data: u.File.Data, PeriodFrom: u.From, PeriodTo: u.To,
		})
		return err
	}
	return d.PostEntries(ctx, actor, step.Post)
}

func (d *demoFill) request(ctx context.Context, actor store.Actor, r demobook.Request) error {
	subject, err := d.entry(ctx, r.Subject)
	if err != nil {
		return err
	}
	_, _, err = d.RequestReversal(ctx, actor, "", subject.Seq, store.ReversalRequest{
		Reason: r.Reason, EffectiveOn: r.EffectiveOn, Replacement: r.Replacement,
	})
	return err
}

func (d *demoFill) decide(ctx context.Context, actor store.Actor, decision demobook.Decision, as store.ApprovalStatus) error {
	requests, err := d.requests(ctx, decision.Subject)
	if err != nil {
		return err
	}
	if len(requests) == 0 {
		return ledger.Refuse(ledger.KindNotFound, "nobody asked to reverse %s", decision.Subject)
	}
	_, _, err = d.Decide(ctx, actor, "", requests[0].ID, as, decision.Note)
	return err
}

// isDone looks whether the book shows that a step was done.
func (d *demoFill) isDone(ctx context.Context, step demobook.Step) (bool, error) {
	subject := ""
	switch {
	case len(step.Post) > 0:
		found, err := d.find(ctx, step.Post[0].TxID)
		return len(found) > 0, err
	case step.Upload != nil:
		return d.isUploaded(ctx, step.Upload.File)
	case step.Request != nil:
		subject = step.Request.Subject
	case step.Approve != nil:
		subject = step.Approve.Subject
	case step.Reject != nil:
		subject = step.Reject.Subject
	}
	requests, err := d.requests(ctx, subject)
	if err != nil || len(requests) == 0 {
		return false, err
	}
	return step.Request != nil || requests[0].Status != store.Pending, nil
}

// isUploaded looks through the newest statements, among which those of the story are while it is not whole.
func (d *demoFill) isUploaded(ctx context.Context, file demobook.File) (bool, error) {
	statements, _, err := d.Statements(ctx, d.reader(), 0, store.MaxPage)
	hash := ledger.Hash(sha256.Sum256(file.Data))
	return slices.ContainsFunc(statements, func(s store.Statement) bool { return s.FileHash == hash }), err
}

// requests are those to reverse the entry with a tx id, the oldest first; none when there is no such entry.
func (d *demoFill) requests(ctx context.Context, txID string) ([]store.Approval, error) {
	subject, err := d.entry(ctx, txID)
	if ledger.KindOf(err) == ledger.KindNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	requests, _, err := d.Approvals(ctx, d.reader(), store.ApprovalFilter{SubjectSeq: subject.Seq})
	return requests, err
}

func (d *demoFill) entry(ctx context.Context, txID string) (store.Receipt, error) {
	found, err := d.find(ctx, txID)
	if err != nil {
		return store.Receipt{}, err
	}
	if len(found) == 0 {
		return store.Receipt{}, ledger.Refuse(ledger.KindNotFound, "the book has no entry %s", txID)
	}
	return found[0], nil
}

func (d *demoFill) find(ctx context.Context, txID string) ([]store.Receipt, error) {
	found, _, err := d.Entries(ctx, d.reader(), store.EntryFilter{TxID: txID, Limit: 1})
	return found, err
}
