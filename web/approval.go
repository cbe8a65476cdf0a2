package web

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// decide takes one of the three decisions about a request. Whoever may not take it is told so before anything else.
func (s *server) decide(verdict store.ApprovalStatus) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		id, err := api.PathNumber(c, "id", "request")
		if err != nil {
			return err
		}
		comeBack(c, "Open the request", bookView(actor.Book).RequestURL(id))
		request, err := s.Store.Approval(c.Request().Context(), actor, id)
		if err != nil {
			return err
		}
		c.Set(api.ActionKey, request.Kind.Action(verdict))
		if err := actor.MayDecide(request, verdict); err != nil {
			return err
		}
		f, err := readKeyedForm(c)
		if err != nil {
			return err
		}
		// A page asks for the reason of a rejection; a program may leave it out.
		err = ledger.CheckText("note", f.text("note"), verdict == store.Rejected)
		var decided store.Approval
		if err == nil {
			var before bool
			decided, before, err = s.Store.Decide(c.Request().Context(), actor, f.key(), id, verdict, f.text("note"))
			if err == nil && before && decided.DeciderID != actor.UserID {
				err = ledger.Refuse(ledger.KindAlreadyDecided, "request %d is already %s, by %s; nothing of yours was recorded", id, decided.Status, decided.DeciderName)
			}
		}
		if refusal, ok := typedWrong(err); ok {
			return s.renderApprovals(c, actor, refusedDecision(id, f, refusal))
		}
		if err != nil {
			return err
		}
		s.tell(c, decisionText(formatOf(actor), decided))
		return seeOther(c, bookView(actor.Book).RequestURL(id))
	}
}

// refusedDecision shows the request as it stands now, with what was typed.
func refusedDecision(id int64, f *form, refusal *ledger.Error) decision {
	d := decision{id: id, refused: refusal, form: templates.DecisionForm{Form: f.key(), Note: f.raw("note")}}
	if refusal.Kind == ledger.KindKeyReused {
		d.form.Form = newKey()
		d.flash = &ui.Alert{Tone: ui.Warn, Title: "This form was sent before.", Text: "Here is the request as it stands now.", Refusal: true}
		return d
	}
	d.form.Message, d.form.Errors = messageOf(refusal), worded(refusal.Fields)
	return d
}

func decisionText(f ui.Format, a store.Approval) string {
	unchanged := "Nothing was posted."
	if a.Kind != store.KindReversal && a.Kind != store.KindAdjustment && a.Kind != store.KindRefund {
		unchanged = "Nothing was changed."
	}
	switch {
	case a.Status == store.Rejected:
		return "The request is rejected. " + unchanged
	case a.Status == store.Recalled:
		return "The request is recalled. " + unchanged
	case a.RoleChange != nil:
		return "Approved. " + a.RoleChange.Name + " has in this book: " + a.RoleChange.After.String() + "."
	case a.Kind == store.KindPeriodClose:
		return "Approved. " + templates.NameOfPeriod(a.PeriodChange.Period) + " is closed."
	case a.Kind == store.KindPeriodReopen:
		return "Approved. " + templates.NameOfPeriod(a.PeriodChange.Period) + " is open again."
	case a.Refund != nil:
		return "Approved. The gateway is asked to give " + f.Amount(a.Refund.AmountMinor, a.Refund.Currency) + " " + a.Refund.Currency + " back: payment " +
			templates.NameOfPayment(a.Refund.PaymentID) + " shows its answer."
	case a.EntrySeq != 0:
		return "Approved. Entry " + f.Seq(a.EntrySeq) + " is posted, and break " + templates.NameOfBreak(a.Adjustment.BreakID) + " is settled."
	case a.ReplacementSeq != 0:
		return "Approved. Reversal " + f.Seq(a.ReversalSeq) + " and replacement " + f.Seq(a.ReplacementSeq) + " are posted."
	}
	return "Approved. Reversal " + f.Seq(a.ReversalSeq) + " is posted."
}

// approvalDetail is a request in full: what it would do, whether it still can, and what this person may do about it.
func (s *server) approvalDetail(ctx context.Context, actor store.Actor, a store.Approval, d decision) (*templates.ApprovalDetail, error) {
	detail := &templates.ApprovalDetail{RequestedAt: a.RequestedAt, CheckedAt: s.Now()}
	if a.Status != store.Pending {
		detail.Decision = &templates.DecisionView{
			Decision: string(a.Status), By: a.DeciderName, At: a.DecidedAt, Note: a.Note, ReversalSeq: a.ReversalSeq, ReplacementSeq: a.ReplacementSeq, EntrySeq: a.EntrySeq,
		}
	}
	fill := s.fillReversal
	switch {
	case a.RoleChange != nil:
		fill = s.fillRoleChange
	case a.PeriodChange != nil:
		fill = s.fillPeriodChange
	case a.Adjustment != nil:
		fill = s.fillAdjustment
	case a.Refund != nil:
		fill = s.fillRefund
	}
	if err := fill(ctx, actor, a, detail); err != nil {
		return nil, err
	}
	if a.Status == store.Pending {
		detail.Checks = append(detail.Checks, requestChecks(actor, a)...)
		detail.Decide = decisionForm(actor, a, detail.Checks, d.form)
	}
	return detail, nil
}

// fillReversal adds what a reversal would post, and what follows from it.
func (s *server) fillReversal(ctx context.Context, actor store.Actor, a store.Approval, detail *templates.ApprovalDetail) error {
	subject, err := s.Store.Entry(ctx, actor, a.SubjectSeq)
	if err != nil {
		return err
	}
	replacement := replacementOf(a)
	names, err := s.accountsOf(ctx, actor, subject.Postings, replacement)
	if err != nil {
		return err
	}
	mirror := ledger.Mirror(subject.Postings)
	detail.ApprovalRow = s.approvalRow(actor, a, subject, names)
	detail.EffectiveOn, detail.ReversalTxID = a.EffectiveOn, a.ReversalTxID
	detail.Original, detail.Reversal = postingsView(actor.Book, names, subject.Postings), postingsView(actor.Book, names, mirror)
	if a.Replacement != nil {
		detail.Replacement = &templates.ReplacementView{
			TxID: a.ReplacementTxID, EffectiveOn: a.Replacement.EffectiveOn, Description: a.Replacement.Description,
			Postings: postingsView(actor.Book, names, replacement),
		}
	}
	if a.Status != store.Pending {
		return nil
	}
	detail.Checks = []templates.ApprovalCheck{reversedCheck(formatOf(actor), subject)}
	days := []ledger.Date{a.EffectiveOn}
	if a.Replacement != nil {
		days = append(days, a.Replacement.EffectiveOn)
	}
	periods, err := s.periodChecks(ctx, actor, days...)
	if err != nil {
		return err
	}
	detail.Checks = append(detail.Checks, periods...)
	if detail.Breaks, err = s.breaksOf(ctx, actor, a.SubjectSeq); err != nil {
		return err
	}
	if detail.For, err = s.postedFor(ctx, actor, subject); err != nil {
		return err
	}
	detail.Effects, err = s.effects(ctx, actor, effect{reversal: mirror, replacement: replacement, on: laterOf(s.today(), subject.EffectiveOn)})
	return err
}

func replacementOf(a store.Approval) []ledger.Posting {
	if a.Replacement == nil {
		return nil
	}
	return a.Replacement.Postings
}

// The checks are the conditions of an approval, as they were and as they are. Approving asks for them again by itself.

func reversedCheck(f ui.Format, subject store.Receipt) templates.ApprovalCheck {
	reversed := templates.ApprovalCheck{What: "Not reversed yet", AtRequest: "Not reversed", Now: "Not reversed", Holds: subject.ReversedBy == 0}
	if !reversed.Holds {
		reversed.Now = "Reversed by " + f.Seq(subject.ReversedBy)
	}
	return reversed
}

// requestChecks are those of every kind.
func requestChecks(actor store.Actor, a store.Approval) []templates.ApprovalCheck {
	hash := ui.Short(a.ContentHash.String())
	intact := templates.ApprovalCheck{What: "Request as it was sent", AtRequest: hash, Now: hash, Holds: a.Intact()}
	if !intact.Holds {
		intact.Now = "Another content"
	}
	return []templates.ApprovalCheck{intact, {
		What: "Requester is not you", AtRequest: a.RequesterName, Now: actor.Name, Holds: a.RequesterID != actor.UserID,
	}}
}

// decisionForm is what this person may do with a pending request.
func decisionForm(actor store.Actor, a store.Approval, checks []templates.ApprovalCheck, form templates.DecisionForm) templates.DecisionForm {
	form.Own = a.RequesterID == actor.UserID
	if form.MissingRight = missing(actor, a.Kind.Decides()); form.Own {
		form.MissingRight = ""
		return form
	}
	for _, check := range checks {
		if !check.Holds {
			form.Blocked = "It cannot take effect any more: see the checks above."
		}
	}
	var refusal *ledger.Error
	if errors.As(actor.MayDecide(a, store.Approved), &refusal) {
		form.Blocked = messageOf(refusal)
	}
	return form
}
