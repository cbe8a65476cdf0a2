package templates

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"daybook/templates/ui"
)

// Shell is what surrounds every screen: where we are, in which book, as whom.
type Shell struct {
	// Title names the page in the tab of the browser and, without Crumbs, in the bar.
	Title string
	Book  Book
	// Elsewhere are the other books in which the reader has a role.
	Elsewhere []Book
	User      User
	Nav       Nav
	// Theme is "light", "dark", or "system" for what the reader's system says.
	Theme string
	// Density is "compact" or "relaxed"; else rows have their normal height.
	Density string
	// Format is how the reader wants numbers and dates written: by the components of the page, and by its texts.
	Format ui.Format
	// Now says what moment the page shows: "As of 2026-04-01 09:42 UTC".
	Now string
	// Crumbs lead to the page; the last one is the page itself.
	Crumbs []ui.Link
	// Flash is the answer to what was done just before.
	Flash *ui.Alert
	// Keys are those of the page besides the ones that every page has, for the list of keys.
	Keys []KeyHelp
	// RefreshSeconds is after how many seconds a page reloads itself where no script runs, 0 for never.
	RefreshSeconds int
}

// KeyHelp says what keys do: "j" "k".
type KeyHelp struct {
	Keys []string
	Text string
}

// Book is the book the page belongs to. Head is its last seq, 0 where it is not known.
type Book struct {
	Slug, Name, Currency string
	Head                 int64
}

// User is who is signed in; Roles are those in this book, in words.
type User struct {
	Name, Initials string
	Roles          []string
}

// Nav says which page is open and what waits.
type Nav struct {
	Active           Page
	ApprovalsWaiting int
	OpenBreaks       int
	// PaymentsUnknown are payments that are not settled: the gateway has not answered, or their entry was refused; InboxUnapplied messages that failed or are parked.
	PaymentsUnknown, InboxUnapplied int
	// StuckKeys are claims past their lease.
	StuckKeys int
	// MayUpload offers the page on which a statement is uploaded.
	MayUpload bool
	// MayAudit offers the audit log.
	MayAudit bool
	// MayAdminister offers the users, roles and tokens.
	MayAdminister bool
}

// Page is an entry of the navigation.
type Page string

// The pages of the navigation.
const (
	PageOverview   Page = "overview"
	PageBalances   Page = "balances"
	PageAccounts   Page = "accounts"
	PageJournal    Page = "journal"
	PageApprovals  Page = "approvals"
	PageStatements Page = "statements"
	PageUpload     Page = "upload"
	PagePayments   Page = "payments"
	PageInbox      Page = "inbox"
	PageKeys       Page = "keys"
	PagePeriods    Page = "periods"
	PageAudit      Page = "audit"
	PageSettings   Page = "settings"
)

// URL is an address in the book: URL("journal", "17") is /b/main/journal/17.
func (b Book) URL(parts ...string) string {
	var address strings.Builder
	address.WriteString("/b/" + url.PathEscape(b.Slug))
	for _, part := range parts {
		address.WriteString("/" + url.PathEscape(part))
	}
	return address.String()
}

// SettingsURL is a page of the settings, which are about people: the book is only the one around them.
func (b Book) SettingsURL(page string) string {
	return "/settings/" + page + "?book=" + url.QueryEscape(b.Slug)
}

// EntryURL is the address of an entry.
func (b Book) EntryURL(seq int64) string { return b.URL("journal", strconv.FormatInt(seq, 10)) }

// AccountURL is the statement of an account.
func (b Book) AccountURL(code string) string { return b.URL("accounts", code) }

// JournalURL is the journal filtered by an account.
func (b Book) JournalURL(code string) string {
	return b.URL("journal") + "?account=" + url.QueryEscape(code)
}

// theme is the one that Tabler knows. A page that follows the system is light to Tabler until its script looks; the colours
// that are ours follow by themselves.
func (s Shell) theme() string {
	if s.Theme == "dark" {
		return "dark"
	}
	return "light"
}

// follows says that the page is light or dark as the reader's system is.
func (s Shell) follows() bool { return s.Theme == "system" }

// colorScheme is what the browser draws its own controls in.
func (s Shell) colorScheme() string {
	if s.follows() {
		return "light dark"
	}
	return s.theme()
}

// preferences tell style sheet and script what the reader wants other than the house has it.
func (s Shell) preferences() templ.Attributes {
	attributes := templ.Attributes{}
	if s.follows() {
		attributes["data-scheme"] = "system"
	}
	if s.Density == "compact" || s.Density == "relaxed" {
		attributes["data-density"] = s.Density
	}
	if group, point := s.Format.Marks(); group+point != ",." {
		attributes["data-marks"] = group + point
	}
	if s.Format.Negatives == ui.MinusSign {
		attributes["data-negatives"] = string(s.Format.Negatives)
	}
	if s.Format.Dates != "" && s.Format.Dates != ui.ISODates {
		attributes["data-dates"] = string(s.Format.Dates)
	}
	return attributes
}

func (s Shell) crumbs() []ui.Link {
	if len(s.Crumbs) > 0 {
		return s.Crumbs
	}
	return []ui.Link{{Text: s.Title}}
}

// navItem is one link of the navigation. Key is pressed after g.
type navItem struct {
	page             Page
	href, text, icon string
	key              string
	count            int
}

func (s Shell) bookPages() []navItem {
	return []navItem{
		{PageOverview, s.Book.URL(), "Overview", "home", "o", 0},
		{PageBalances, s.Book.URL("balances"), "Balances", "scale", "b", 0},
		{PageAccounts, s.Book.URL("accounts"), "Accounts", "list-details", "c", 0},
		{PageJournal, s.Book.URL("journal"), "Journal", "notebook", "j", 0},
		{PageApprovals, s.Book.URL("approvals"), "Approvals", "checks", "a", s.Nav.ApprovalsWaiting},
	}
}

func (s Shell) bankPages() []navItem {
	items := []navItem{{PageStatements, s.Book.URL("statements"), "Reconciliation", "building-bank", "r", s.Nav.OpenBreaks}}
	if s.Nav.MayUpload {
		items = append(items, navItem{PageUpload, s.Book.URL("statements", "new"), "Upload statement", "upload", "u", 0})
	}
	return append(items, navItem{PagePayments, s.Book.URL("payments"), "Payments", "credit-card", "p", s.Nav.PaymentsUnknown})
}

func (s Shell) machinePages() []navItem {
	return []navItem{
		{PageInbox, s.Book.URL("inbox"), "Inbox", "inbox", "i", s.Nav.InboxUnapplied},
		{PageKeys, s.Book.URL("keys"), "Keys", "key", "k", s.Nav.StuckKeys},
	}
}

func (s Shell) controlPages() []navItem {
	items := []navItem{{PagePeriods, s.Book.URL("periods"), "Periods", "calendar", "m", 0}}
	if s.Nav.MayAudit {
		items = append(items, navItem{PageAudit, s.Book.URL("audit"), "Audit", "shield-check", "d", 0})
	}
	if s.Nav.MayAdminister {
		items = append(items, navItem{PageSettings, s.Book.SettingsURL("users"), "Users and roles", "users", "s", 0})
	}
	return items
}
