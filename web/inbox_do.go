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

// messageWork is a form about one message: what it does, and what is told of it then.
type messageWork func(ctx context.Context, actor store.Actor, source, id string, f *form) (told, error)

// workOnMessage takes a form about one message. Refused, it shows the message as it stands now with what was typed.
func (s *server) workOnMessage(work messageWork) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		if err := actor.Need(store.RightPost); err != nil {
			return err
		}
		f, err := readKeyedForm(c)
		if err != nil {
			return err
		}
		source, id := f.raw("source"), f.raw("message_id")
		address := bookView(actor.Book).MessageURL(source, id)
		comeBack(c, "Open the message", address)
		done, err := work(c.Request().Context(), actor, source, id, f)
		refusal, wrong := typedWrong(err)
		switch {
		case wrong || ledger.KindOf(err) == ledger.KindIllegalTransition:
			return s.refuseOnMessage(c, actor, f, refusal)
		case err != nil:
			return err
		case done.warns:
			s.warn(c, done.text)
		default:
			s.tell(c, done.text)
		}
		return seeOther(c, address)
	}
}

func (s *server) refuseOnMessage(c echo.Context, actor store.Actor, f *form, refusal *ledger.Error) error {
	view, err := s.inboxView(c, actor, templates.InboxFilter{Of: f.raw("source"), ID: f.raw("message_id")})
	if err != nil {
		return err
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	if view.Open != nil {
		view.Open.Reason, view.Open.Errors = f.raw("reason"), view.Errors
	}
	s.recordRefusal(c, refusal)
	return render(c, api.ProblemOf(refusal, "").Status, templates.InboxPage(view))
}

func (s *server) retryMessage(ctx context.Context, actor store.Actor, source, id string, _ *form) (told, error) {
	receipt, err := s.Store.RetryMessage(ctx, actor, source, id)
	return toldOfRetry(formatOf(actor), receipt), err
}

func toldOfRetry(f ui.Format, r store.InboxReceipt) told {
	switch {
	case r.Result == store.InboxApplied && r.Seq != 0:
		return told{text: "The message is applied. Entry " + f.Seq(r.Seq) + " is posted."}
	case r.Result == store.InboxApplied:
		return told{text: "The message is applied."}
	case r.Result == store.InboxWaiting:
		return told{text: "The message still waits for another.\nIt is tried again by itself.", warns: true}
	case r.Problem != nil:
		return told{text: "The message could not be applied: nothing was posted.\n" + problemText(r.Problem), warns: true}
	}
	return told{text: "The message could not be applied: nothing was posted.", warns: true}
}

func (s *server) dismissMessage(ctx context.Context, actor store.Actor, source, id string, f *form) (told, error) {
	_, err := s.Store.DismissMessage(ctx, actor, source, id, f.text("reason"))
	return told{text: "The message is set aside.\nNothing is done for it, unless somebody retries it."}, err
}

// retryMessages tries all that failed or is parked again.
func (s *server) retryMessages(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	if _, err := readKeyedForm(c); err != nil {
		return err
	}
	retries, err := s.Store.RetryMessages(c.Request().Context(), actor, store.InboxFilter{})
	if err != nil {
		return err
	}
	f := formatOf(actor)
	text := f.Plural(retries.Tried, "message was", "messages were") + " tried again, and " + f.Number(retries.Applied) + " of them applied."
	if retries.More {
		text += "\nThere are more: retry all once more."
	}
	if retries.Applied == retries.Tried && !retries.More {
		s.tell(c, text)
	} else {
		s.warn(c, text)
	}
	return seeOther(c, bookView(actor.Book).URL("inbox"))
}
