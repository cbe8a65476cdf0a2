package main

import (
	"context"
	"log/slog"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/inbox/broker"
)

const (
	settingNatsURL   = "nats-url"
	settingInboxUser = "inbox-user"
)

// inboxFlags say where messages come from besides the API, and in whose name they are recorded.
func (p *program) inboxFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: settingNatsURL, Sources: p.from("DAYBOOK_NATS_URL"),
			Usage: "take messages from this NATS JetStream, such as nats://host:4222; several servers of a cluster with commas between"},
		&cli.StringFlag{Name: settingInboxUser, Sources: p.from("DAYBOOK_INBOX_USER"),
			Usage: "record messages of the broker and of webhooks in the name of this user, by e-mail address, who needs the right to post in the book"},
	}
}

// checkInboxFlags refuses at the start what would only be found out when the first message comes.
func checkInboxFlags(c *cli.Command) error {
	address := c.String(settingNatsURL)
	if address == "" {
		return nil
	}
	if c.String(settingInboxUser) == "" {
		return badInput("--nats-url needs --inbox-user: name the user in whose name messages are recorded")
	}
	return broker.CheckURL(address)
}

// takeMessages takes messages from a broker, in the name of the machine of the books, until ctx ends.
func takeMessages(ctx context.Context, books *store.Store, address string, log *slog.Logger) {
	codes := func(ctx context.Context) ([]string, error) {
		all, err := books.Books(ctx)
		codes := make([]string, len(all))
		for i, book := range all {
			codes[i] = book.Code
		}
		return codes, err
	}
	receive := func(ctx context.Context, book string, m inbox.Message) error {
		return receiveFromBroker(ctx, books, book, m)
	}
	if err := broker.Consume(ctx, broker.Config{URL: address, Books: codes, Log: log}, receive); err != nil {
		log.Error("this server takes no messages from the broker", "error", err)
	}
}

func receiveFromBroker(ctx context.Context, books *store.Store, book string, m inbox.Message) error {
	actor, err := books.MachineActor(ctx, book)
	if err != nil {
		return err
	}
	_, err = books.Receive(ctx, actor, inbox.ByBroker, m)
	return err
}
