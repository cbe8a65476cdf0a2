package main

import (
	"context"
	"maps"
	"slices"

	"daybook/store"
	"daybook/store/ledger"
)

// inboxActor finds in whose name the messages of a file are recorded: the user of an e-mail address or, where none is given, that of the demo, or the
// only one of the book who may post.
func inboxActor(ctx context.Context, books *store.Store, bookCode, email string) (store.Actor, error) {
	if _, err := books.BookByCode(ctx, bookCode); err != nil {
		return store.Actor{}, err
	}
	if email == "" {
		return onlyPoster(ctx, books, bookCode)
	}
	user, err := books.UserByEmail(ctx, email)
	if err != nil {
		return store.Actor{}, err
	}
	actor, err := books.Actor(ctx, user.ID, bookCode)
	if err != nil {
		return store.Actor{}, err
	}
	return actor, actor.Need(store.RightPost)
}

func onlyPoster(ctx context.Context, books *store.Store, bookCode string) (store.Actor, error) {
	posters, err := postersOf(ctx, books, bookCode)
	if err != nil {
		return store.Actor{}, err
	}
	for _, email := range demoInboxUsers {
		if i := slices.IndexFunc(posters, func(a store.Actor) bool { return a.Email == email }); i >= 0 {
			return posters[i], nil
		}
	}
	if len(posters) == 1 {
		return posters[0], nil
	}
	return store.Actor{}, badInput("%d users may post in book %s: name the one who records the messages with --as EMAIL", len(posters), bookCode)
}

// postersOf are the users who may post in a book.
func postersOf(ctx context.Context, books *store.Store, bookCode string) ([]store.Actor, error) {
	memberships, err := books.AllMemberships(ctx)
	if err != nil {
		return nil, err
	}
	var posters []store.Actor
	for _, id := range slices.Sorted(maps.Keys(memberships)) {
		if !slices.ContainsFunc(memberships[id], func(m store.Membership) bool { return m.Book.Code == bookCode }) {
			continue
		}
		actor, err := books.Actor(ctx, id, bookCode)
		switch {
		case ledger.KindOf(err) == ledger.KindUnauthenticated: // disabled
		case err != nil:
			return nil, err
		case actor.Can(store.RightPost):
			posters = append(posters, actor)
		}
	}
	return posters, nil
}
