package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"daybook/store"
)

func userCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "user",
		Usage: "add people, and say what they may do in which book: at once, as the operator",
		Commands: []*cli.Command{
			userAddCommand(p),
			userChangeCommand(p, "passwd", "give a person another password, asked for or read from standard input; also: user password", p.changePassword, "password"),
			userChangeCommand(p, "disable", "end a person's access, by password and by token", p.disableUser),
			userChangeCommand(p, "enable", "give a disabled person their access back", p.enableUser),
			userRoleCommand(p, "grant", "give a person roles in a book: "+roleNames(), p.grantRole),
			userRoleCommand(p, "revoke", "take roles in a book from a person", p.revokeRole),
			userListCommand(p),
		},
	}
}

func userAddCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "add",
		Usage:     "add a person; the password is asked for, or read from standard input",
		ArgsUsage: "EMAIL",
		Flags: append(p.databaseFlags(), p.bookFlag(),
			&cli.StringFlag{Name: "name", Usage: "the person's name, as it is shown; without it, the first part of the address"},
			&cli.StringSliceFlag{Name: "role", Usage: "give the person this role in the book; may be repeated"}),
		ArgValidator: exactly(1),
		Action:       p.administer(1, p.addUser),
	}
}

func (p *program) addUser(ctx context.Context, c *cli.Command, books *store.Store) error {
	name := c.String("name")
	if name == "" {
		name, _, _ = strings.Cut(c.Args().First(), "@")
	}
	roles := c.StringSlice("role")
	for _, role := range roles {
		if err := store.CheckRole(store.Role(role)); err != nil {
			return err
		}
	}
	var book store.Book
	if len(roles) > 0 {
		var err error
		if book, err = books.BookByCode(ctx, c.String(settingBook)); err != nil {
			return err
		}
	}
	password, err := p.askPassword()
	if err != nil {
		return err
	}
	user, err := books.AddUser(ctx, c.Args().First(), name, password)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "added %s\n", user.Email)
	return p.grantAll(ctx, books, book, user, roles)
}

// userChangeCommand makes a command that does something with one person.
func userChangeCommand(p *program, name, usage string, change func(context.Context, *store.Store, store.User) error, aliases ...string) *cli.Command {
	return &cli.Command{
		Name:         name,
		Aliases:      aliases,
		Usage:        usage,
		ArgsUsage:    "EMAIL",
		Flags:        p.databaseFlags(),
		ArgValidator: exactly(1),
		Action: p.administer(1, func(ctx context.Context, c *cli.Command, books *store.Store) error {
			user, err := books.UserByEmail(ctx, c.Args().First())
			if err != nil {
				return err
			}
			return change(ctx, books, user)
		}),
	}
}

func (p *program) changePassword(ctx context.Context, books *store.Store, user store.User) error {
	password, err := p.askPassword()
	if err != nil {
		return err
	}
	if err := books.SetPassword(ctx, user.ID, password); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s has a new password\n", user.Email)
	return nil
}

func (p *program) disableUser(ctx context.Context, books *store.Store, user store.User) error {
	if err := books.DisableUser(ctx, user.ID); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is disabled\n", user.Email)
	return nil
}

func (p *program) enableUser(ctx context.Context, books *store.Store, user store.User) error {
	if err := books.EnableUser(ctx, user.ID); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is enabled\n", user.Email)
	return nil
}

type roleChange func(ctx context.Context, books *store.Store, book store.Book, user store.User, role string) error

func userRoleCommand(p *program, name, usage string, change roleChange) *cli.Command {
	return &cli.Command{
		Name:      name,
		Usage:     usage,
		ArgsUsage: "EMAIL ROLE…",
		Flags:     append(p.databaseFlags(), p.bookFlag()),
		Action: p.administer(2, func(ctx context.Context, c *cli.Command, books *store.Store) error {
			book, err := books.BookByCode(ctx, c.String(settingBook))
			if err != nil {
				return err
			}
			user, err := books.UserByEmail(ctx, c.Args().First())
			if err != nil {
				return err
			}
			for _, role := range c.Args().Tail() {
				if err := change(ctx, books, book, user, role); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}

func (p *program) grantAll(ctx context.Context, books *store.Store, book store.Book, user store.User, roles []string) error {
	for _, role := range roles {
		if err := p.grantRole(ctx, books, book, user, role); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) grantRole(ctx context.Context, books *store.Store, book store.Book, user store.User, role string) error {
	if err := books.GrantRole(ctx, book, user.ID, store.Role(role)); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is %s in book %s\n", user.Email, role, book.Code)
	return nil
}

func (p *program) revokeRole(ctx context.Context, books *store.Store, book store.Book, user store.User, role string) error {
	if err := books.RevokeRole(ctx, book, user.ID, store.Role(role)); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is no longer %s in book %s\n", user.Email, role, book.Code)
	return nil
}

func userListCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list all people with their roles",
		Flags: p.databaseFlags(),
		Action: p.administer(0, func(ctx context.Context, _ *cli.Command, books *store.Store) error {
			users, err := books.Users(ctx)
			if err != nil {
				return err
			}
			memberships, err := books.AllMemberships(ctx)
			if err != nil {
				return err
			}
			rows := [][]string{{"EMAIL", "NAME", "STATUS", "ROLES"}}
			for _, user := range users {
				status := "active"
				if user.Disabled {
					status = "disabled"
				}
				rows = append(rows, []string{user.Email, user.Name, status, describe(memberships[user.ID])})
			}
			return p.table(rows)
		}),
	}
}

// describe writes memberships as "main: preparer, approver; other: viewer".
func describe(memberships []store.Membership) string {
	var parts []string
	for _, m := range memberships {
		parts = append(parts, m.Book.Code+": "+joinRoles(m.Roles))
	}
	return strings.Join(parts, "; ")
}

func roleNames() string { return joinRoles(store.Roles) }

func joinRoles(roles []store.Role) string {
	words := make([]string, len(roles))
	for i, role := range roles {
		words[i] = string(role)
	}
	return strings.Join(words, ", ")
}
