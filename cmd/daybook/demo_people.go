package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"daybook/cmd/daybook/demobook"
	"daybook/store"
	"daybook/store/ledger"
)

// demoPerson is who acts in the demo, as <login>@demo.test. One without a printed login has a password that nobody knows.
type demoPerson struct {
	login, name string
	roles       []store.Role
}

// demoCast are the printed logins and, in the book that has a story, the others who act in it.
func demoCast(empty bool) []demoPerson {
	cast := []demoPerson{
		{"viewer", "Lars Oud", []store.Role{store.Viewer}},
		{"preparer", "Ana Ruiz", []store.Role{store.Preparer}},
		{"approver", "Joris Aalbers", []store.Role{store.Approver}},
		{"auditor", "Femke Bos", []store.Role{store.Auditor}},
		{"admin", "Pim Haan", []store.Role{store.Admin}},
		{"controller", "Tom de Wit", []store.Role{store.Preparer, store.Approver}},
	}
	if empty {
		return cast
	}
	return append(cast,
		demoPerson{demobook.Second, "Maja Lind", []store.Role{store.Preparer}},
		demoPerson{demobook.Webshop, "Web shop", []store.Role{store.Preparer}},
		demoPerson{demobook.Processor, "PayPort", []store.Role{store.Preparer}})
}

// demoInboxUsers record what comes in without a token, each where the one before is not there.
var demoInboxUsers = []string{demobook.Processor + "@demo.test", "preparer@demo.test"}

// demoInboxUser is the first of them that a demo has.
func demoInboxUser(empty bool) string {
	if empty {
		return demoInboxUsers[1]
	}
	return demoInboxUsers[0]
}

func (p demoPerson) email() string { return p.login + "@demo.test" }

func (p demoPerson) isPrinted() bool { return slices.Contains(demoPeople, p.login) }

// addPeople adds who is missing, with roles and tokens, and finds all of them.
func (d *demoFill) addPeople(ctx context.Context) error {
	tokens, err := d.Tokens(ctx, d.book)
	if err != nil {
		return err
	}
	for _, p := range d.people {
		user, err := d.addPerson(ctx, p)
		if err != nil {
			return fmt.Errorf("add %s: %w", p.email(), err)
		}
		for _, role := range p.roles {
			if err := d.GrantRole(ctx, d.book, user.ID, role); err != nil {
				return err
			}
		}
		if !p.isPrinted() || slices.ContainsFunc(tokens, func(t store.Token) bool { return t.UserID == user.ID }) {
			continue
		}
		if _, _, err := d.AddToken(ctx, d.book, user.ID, "demo", nil, time.Time{}, "daybook-demo-"+p.login); err != nil {
			return fmt.Errorf("add the token of %s: %w", p.email(), err)
		}
	}
	return d.findActors(ctx)
}

func (d *demoFill) addPerson(ctx context.Context, p demoPerson) (store.User, error) {
	user, err := d.UserByEmail(ctx, p.email())
	if ledger.KindOf(err) != ledger.KindNotFound {
		return user, err
	}
	password := demoPassword
	if !p.isPrinted() {
		password = rand.Text()
	}
	return d.AddUser(ctx, p.email(), p.name, password)
}

// findActors finds everyone as who acts in the book.
func (d *demoFill) findActors(ctx context.Context) error {
	d.actors = map[string]store.Actor{}
	for _, p := range d.people {
		user, err := d.UserByEmail(ctx, p.email())
		if err != nil {
			return err
		}
		if d.actors[p.login], err = d.Actor(ctx, user.ID, demoBookCode); err != nil {
			return err
		}
	}
	return nil
}
