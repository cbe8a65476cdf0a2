package web

import (
	"context"

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
		s.tell(c, decisionText(decided))
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

func decisionText(a store.Approval) string {
	switch {
	case a.Status == store.Rejected:
		return "The request is rejected. Nothing was posted."
	case a.Status == store.Recalled:
		return "The request is recalled. Nothing was posted."
	case a.ReplacementSeq != 0:
		return "Approved. Reversal " + ui.Seq(a.ReversalSeq) + " and replacement " + ui.Seq(a.ReplacementSeq) + " are posted."
	}
	return "Approved. Reversal " + ui.Seq(a.ReversalSeq) + " is posted."
}

// approvalDetail is a request in full: what it would post, whether it still can, and what this person may do about it.
func (s *server) approvalDetail(ctx context.Context, actor store.Actor, a store.Approval, d decision) (*templates.ApprovalDetail, error) {
	subject, err := s.Store.Entry(ctx, actor, a.SubjectSeq)
	if err != nil {
		return nil, err
	}
	replacement := replacementOf(a)
	names, err := s.accountsOf(ctx, actor, subject.Postings, replacement)
	if err != nil {
		return nil, err
	}
	mirror := ledger.Mirror(subject.Postings)
	detail := &templates.ApprovalDetail{
		ApprovalRow: s.approvalRow(actor, a, subject, names), RequestedAt: a.RequestedAt, EffectiveOn: a.EffectiveOn, ReversalTxID: a.ReversalTxID,
		Original: postingsView(actor.Book, names, subject.Postings), Reversal: postingsView(actor.Book, names, mirror), CheckedAt: s.Now(),
	}
	if a.Replacement != nil {
		detail.Replacement = &templates.ReplacementView{
			TxID: a.ReplacementTxID, EffectiveOn: a.Replacement.EffectiveOn, Description: a.Replacement.Description,
			Postings: postingsView(actor.Book, names, replacement),
		}
	}
	if a.Status != store.Pending {
		detail.Decision = &templates.DecisionView{
			Decision: string(a.Status), By: a.DeciderName, At: a.DecidedAt, Note: a.Note, ReversalSeq: a.ReversalSeq, ReplacementSeq: a.ReplacementSeq,
		}
		return detail, nil
	}
	detail.Checks = approvalChecks(actor, a, subject)
	detail.Decide = decisionForm(actor, a, detail.Checks, d.form)
	if detail.Breaks, err = s.breaksOf(ctx, actor, a.SubjectSeq); err != nil {
		return nil, err
	}
	detail.Effects, err = s.effects(ctx, actor, effect{reversal: mirror, replacement: replacement, on: laterOf(s.today(), subject.EffectiveOn)})
	return detail, err
}

func replacementOf(a store.Approval) []ledger.Posting {
	if a.Replacement == nil {
		return nil
	}
	return a.Replacement.Postings
}

// approvalChecks are the conditions of an approval, as they were and as they are. Approving asks for them again by itself.
func approvalChecks(actor store.Actor, a store.Approval, subject store.Receipt) []templates.ApprovalCheck {
	reversed := templates.ApprovalCheck{What: "Not reversed yet", AtRequest: "Not reversed", Now: "Not reversed", Holds: subject.ReversedBy == 0}
	if !reversed.Holds {
		reversed.Now = "Reversed by " + ui.Seq(subject.ReversedBy)
	}
	hash := ui.Short(a.ContentHash.String())
	intact := templates.ApprovalCheck{What: "Request as it was sent", AtRequest: hash, Now: hash, Holds: a.Intact()}
	if !intact.Holds {
		intact.Now = "Another content"
	}
	return []templates.ApprovalCheck{reversed, intact, {
		What: "Requester is not you", AtRequest: a.RequesterName, Now: actor.Name, Holds: a.RequesterID != actor.UserID,
	}}
}

// decisionForm is what this person may do with a pending request.
func decisionForm(actor store.Actor, a store.Approval, checks []templates.ApprovalCheck, form templates.DecisionForm) templates.DecisionForm {
	form.Own = a.RequesterID == actor.UserID
	if form.MissingRight = missing(actor, store.RightDecide); form.Own {
		form.MissingRight = ""
		return form
	}
	for _, check := range checks {
		if !check.Holds {
			form.Blocked = "It cannot take effect any more: see the checks above."
		}
	}
	return form
}
