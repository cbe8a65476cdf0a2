package web

import (
	"context"

	"daybook/store"
	"daybook/store/payment"
	"daybook/templates"
)

// refundRow is a refund in the queue.
func (s *server) refundRow(a store.Approval) templates.ApprovalRow {
	row := s.requestRow(a)
	row.Title, row.Description = "Refund "+templates.NameOfPayment(a.Refund.PaymentID), a.Refund.Customer
	row.Account, row.AmountMinor, row.Currency = a.Refund.Reference, a.Refund.AmountMinor, a.Refund.Currency
	return row
}

// fillRefund adds what would be given back, and whether it still can be.
func (s *server) fillRefund(ctx context.Context, actor store.Actor, a store.Approval, detail *templates.ApprovalDetail) error {
	asked := a.Refund
	p, err := s.Store.PaymentHistory(ctx, actor, asked.PaymentID)
	if err != nil {
		return err
	}
	detail.ApprovalRow = s.refundRow(a)
	detail.Refund = &templates.RefundView{
		PaymentID: p.ID, Customer: p.Customer, Reference: p.Reference, Currency: p.Currency, AmountMinor: asked.AmountMinor, CapturedMinor: p.CapturedMinor, LeftMinor: p.LeftMinor(),
		Gateway: p.Gateway,
	}
	refundCall(detail.Refund, p, a.ID)
	settings, err := s.Store.PaymentSettings(ctx, actor)
	if err != nil {
		return err
	}
	for _, of := range settings {
		if of.Currency == p.Currency {
			detail.Refund.LimitMinor = of.RefundLimitMinor
		}
	}
	if a.Status != store.Pending {
		return nil
	}
	amount := func(minor int64) string { return formatOf(actor).Amount(minor, p.Currency) + " " + p.Currency }
	detail.Checks = []templates.ApprovalCheck{
		{What: "State of the payment", AtRequest: "Can be refunded", Now: templates.StateOfPayment(p.State), Holds: payment.Outlook(p.State, payment.KindRefund)},
		{What: "Left of the payment", AtRequest: amount(asked.AmountMinor) + " or more", Now: amount(p.LeftMinor()), Holds: p.LeftMinor() >= asked.AmountMinor},
		{What: "Gateway has answered", AtRequest: "Yes", Now: inEither(p.Call == nil, "Yes", "Not yet"), Holds: p.Call == nil},
	}
	return nil
}

// refundCall adds what was asked of the gateway once a request was approved, and what it posted.
func refundCall(view *templates.RefundView, h store.PaymentHistory, approvalID int64) {
	for _, call := range h.Calls {
		if call.ApprovalID != approvalID {
			continue
		}
		asked := paymentCallView(call)
		view.Call = &asked
		for _, e := range h.Events {
			if e.CallID == call.ID {
				view.Seq = e.Seq
			}
		}
	}
}
