package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"daybook/cmd/daybook/demobook"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
)

// demoBookCode is the book of the demo, whichever it is.
const demoBookCode = "main"

// fillDemo makes the people, the book and the sample files of the demo, through the same use cases that the pages
// call. It runs at every start: what is there already is left alone and what a kill in the middle left out is added,
// so that a half-filled demo is never taken for a whole one.
func fillDemo(ctx context.Context, databaseURL, samples string, empty bool) error {
	story, err := demoStory(empty)
	if err != nil {
		return err
	}
	if err := writeSamples(samples, story.Samples); err != nil {
		return err
	}
	db, err := postgres.Open(ctx, databaseURL)
	if err != nil {
		return err
	}
	hand := &clockByHand{}
	books := store.New(db, hand.now)
	filling := demoFill{Store: books, clock: hand, story: story, people: demoCast(empty)}
	return errors.Join(filling.fill(ctx), books.Close())
}

func demoStory(empty bool) (demobook.Book, error) {
	if empty {
		return demobook.Empty(), nil
	}
	return demobook.KilnAndCo()
}

func writeSamples(folder string, files []demobook.File) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// clockByHand shows the time of the story, so that the journal says when things happened in it.
type clockByHand struct{ at time.Time }

func (c *clockByHand) now() time.Time { return c.at }

// demoFill tells a story to a store.
type demoFill struct {
	*store.Store
	clock  *clockByHand
	story  demobook.Book
	people []demoPerson
	book   store.Book
	actors map[string]store.Actor
}

// fill goes on where an earlier one was interrupted. People and accounts come first, and are looked for one by one. Each step
// after that is one transaction, and they are done in their order: those that are done are the first ones.
func (d *demoFill) fill(ctx context.Context) error {
	if whole, err := d.isWhole(ctx); whole || err != nil {
		return err
	}
	d.clock.at = time.Date(2025, 12, 30, 9, 0, 0, 0, time.UTC)
	if err := d.openBook(ctx); err != nil {
		return err
	}
	if err := d.addPeople(ctx); err != nil {
		return err
	}
	if err := d.openAccounts(ctx); err != nil {
		return err
	}
	var err error
	first := sort.Search(len(d.story.Steps), func(i int) bool {
		done, lookErr := d.isDone(ctx, d.story.Steps[i])
		err = errors.Join(err, lookErr)
		return !done
	})
	for _, step := range d.story.Steps[first:] {
		if err == nil {
			err = d.do(ctx, step)
		}
	}
	return err
}

// reader looks what is there. It is nobody in the book: people of the demo may have been disabled since.
func (d *demoFill) reader() store.Actor {
	return store.Actor{Book: d.book, Roles: []store.Role{store.Viewer}}
}

// isWhole looks for the last thing of the story only.
func (d *demoFill) isWhole(ctx context.Context) (bool, error) {
	book, err := d.BookByCode(ctx, demoBookCode)
	if ledger.KindOf(err) == ledger.KindNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d.book = book
	if steps := d.story.Steps; len(steps) > 0 {
		return d.isDone(ctx, steps[len(steps)-1])
	}
	_, err = d.Account(ctx, d.reader(), d.story.Accounts[len(d.story.Accounts)-1].Code)
	if ledger.KindOf(err) == ledger.KindNotFound {
		return false, nil
	}
	return err == nil, err
}

func (d *demoFill) openBook(ctx context.Context) error {
	if d.book.ID != 0 {
		return nil
	}
	book, err := d.AddBook(ctx, demoBookCode, d.story.Name, d.story.Currency)
	d.book = book
	return err
}

func (d *demoFill) openAccounts(ctx context.Context) error {
	admin := d.actors["admin"]
	there, _, err := d.Accounts(ctx, admin, "", store.MaxPage)
	if err != nil {
		return err
	}
	opened := map[string]bool{}
	for _, a := range there {
		opened[a.Code] = true
	}
	for _, a := range d.story.Accounts {
		if opened[a.Code] {
			continue
		}
		if _, _, err := d.OpenAccount(ctx, admin, "", a); err != nil {
			return fmt.Errorf("open account %s: %w", a.Code, err)
		}
	}
	return nil
}
