package web

import (
	"context"

	"daybook/recon"
	"daybook/store"
	"daybook/templates"
)

// adjustmentRow is an entry that settles a break in the queue.
func (s *server) adjustmentRow(a store.Approval) templates.ApprovalRow {
	row := s.requestRow(a)
	row.Title, row.Description = "Settle break "+templates.NameOfBreak(a.Adjustment.BreakID), a.Adjustment.Entry.Description
	return row
}

// fillAdjustment adds the entry, and whether the break still waits for it.
func (s *server) fillAdjustment(ctx context.Context, actor store.Actor, a store.Approval, detail *templates.ApprovalDetail) error {
	asked := a.Adjustment
	names, err := s.accountsOf(ctx, actor, asked.Entry.Postings)
	if err != nil {
		return err
	}
	detail.ApprovalRow = s.adjustmentRow(a)
	detail.Adjustment = &templates.AdjustmentView{
		BreakID: asked.BreakID, Resolution: asked.Resolution, TxID: asked.Entry.TxID, EffectiveOn: asked.Entry.EffectiveOn, Description: asked.Entry.Description,
		Postings: postingsView(actor.Book, names, asked.Entry.Postings),
	}
	if a.Status != store.Pending {
		return nil
	}
	b, _, err := s.Store.Break(ctx, actor, asked.BreakID)
	if err != nil {
		return err
	}
	waits := b.ApprovalID == a.ID
	detail.Checks = []templates.ApprovalCheck{{
		What: "Break " + templates.NameOfBreak(b.ID), AtRequest: recon.WaitingForApproval.Label(), Now: inEither(waits, recon.WaitingForApproval.Label(), b.Status.Label()), Holds: waits,
	}}
	periods, err := s.periodChecks(ctx, actor, asked.Entry.EffectiveOn)
	detail.Checks = append(detail.Checks, periods...)
	return err
}
