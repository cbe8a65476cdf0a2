package gallery

import (
	"time"

	"daybook/templates"
)

// refundApproval is a refund above the limit that another person asked for.
func refundApproval() templates.Approvals {
	view := approvals()
	row := templates.ApprovalRow{
		ID: 61, Title: "Refund P-20800", Description: "Ravi Meijer, Order 20767", Account: "payport", AmountMinor: 10000, Currency: "EUR", Requester: "Maja Lind",
		Reason: "The rest of the order arrived broken", Age: 3 * time.Hour, Status: "pending",
	}
	view.Queue = append([]templates.ApprovalRow{row}, view.Queue...)
	view.Detail = &templates.ApprovalDetail{
		ApprovalRow: row, RequestedAt: at("2026-04-01T06:40:00Z"), CheckedAt: at("2026-04-01T09:42:00Z"),
		Refund: &templates.RefundView{PaymentID: 20800, Customer: "Ravi Meijer", Reference: "Order 20767", Currency: "EUR", AmountMinor: 10000, CapturedMinor: 13150, LeftMinor: 10000, LimitMinor: 5000, Gateway: "payport"},
		Checks: []templates.ApprovalCheck{
			{What: "Left of the payment", AtRequest: "At least 100.00", Now: "100.00", Holds: true},
			{What: "Request as it was sent", AtRequest: "9f27 41c0", Now: "9f27 41c0", Holds: true},
			{What: "Requester is not you", AtRequest: "Maja Lind", Now: "Tom de Wit", Holds: true},
		},
		Decide: templates.DecisionForm{Form: "form-93d1-4a80-b6c4"},
	}
	return view
}

// refundApproved is the same once it was approved, and the gateway gave the money back.
func refundApproved() templates.Approvals {
	view := refundApproval()
	d := view.Detail
	call := paymentCall(4, capturedPayment(), templates.DoRefund, 10000, "2026-04-01T09:50:02Z")
	d.Refund.Call, d.Refund.Seq, d.Checks, d.Status, view.Queue[0].Status = &call, 1708, nil, "approved", "approved"
	d.Decision = &templates.DecisionView{Decision: "approved", By: "Tom de Wit", At: at("2026-04-01T09:50:00Z")}
	return view
}
