package api

import (
	"github.com/labstack/echo/v4"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// receiveWebhook takes in what a gateway sends by itself. It has no token: the gateway's own reader tells what the gateway signed, which is then done
// in the name of the user for machines.
func (a *api) receiveWebhook(c echo.Context) error {
	name := PathText(c, "gateway")
	reader, known := a.Webhooks[name]
	if !known {
		return ledger.Refuse(ledger.KindNotFound, "there is no gateway %q here that sends messages", name)
	}
	actor, err := a.Store.MachineActor(c.Request().Context(), PathText(c, "book"))
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	messages, err := reader.Read(c.Request().Context(), actor.Book.Code, c.Request().Header, body)
	if err != nil {
		return err
	}
	// Only what the gateway signed is done in the name of a user, whose refusals are in the audit log: anybody can send something else.
	actor.Request, actor.Address = c.Response().Header().Get(echo.HeaderXRequestID), c.RealIP()
	c.Set(ActorKey, actor)
	return a.receiveMany(c, actor, inbox.ByWebhook, messages)
}
