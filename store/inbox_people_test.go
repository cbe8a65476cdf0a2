package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

func TestDismissMessage_PutsAMessageAsideUntilItIsRetried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eva := message("m-1", inbox.EntryPost, deposit("t1", "customer:eva"))
	b.takes(t, eva)
	_, err := b.DismissMessage(t.Context(), b.viewer, "shop", "m-1", "a test")
	refused(t, err, ledger.KindForbidden)
	_, err = b.DismissMessage(t.Context(), b.preparer, "shop", "m-1", " ")
	refused(t, err, ledger.KindInvalid)
	_, err = b.DismissMessage(t.Context(), b.preparer, "shop", "m-9", "a test")
	refused(t, err, ledger.KindNotFound)
	for range 2 {
		receipt, err := b.DismissMessage(t.Context(), b.preparer, "shop", "m-1", "it was a test")
		ok(t, err)
		if receipt.Result != store.InboxDismissed {
			t.Errorf("dismissed it is %+v", receipt)
		}
	}
	b.open(t, "customer:eva", ledger.Liability)
	b.clock.advance(time.Minute)
	ok(t, b.WorkMessage(t.Context(), b.book.ID, "shop", "m-1"))
	if got := b.takes(t, eva); got.Result != store.InboxDismissed {
		t.Errorf("delivered again it came to %+v", got)
	}
	retried, err := b.RetryMessage(t.Context(), b.controller, "shop", "m-1")
	ok(t, err)
	if retried.Result != store.InboxApplied {
		t.Errorf("retried it came to %+v", retried)
	}
	if m := b.kept(t, "m-1"); history(m) != "delivered failed, dismissed dismissed it was a test, delivered dismissed, retried applied" || m.Events[3].By != "controller" {
		t.Errorf("its history is %s", history(m))
	}
	_, err = b.DismissMessage(t.Context(), b.preparer, "shop", "m-1", "too late")
	refused(t, err, ledger.KindIllegalTransition)
	if got := b.column(t, `SELECT concat(action, ' ', detail->>'reason', detail->>'result') FROM audit_log WHERE action LIKE 'inbox.%' ORDER BY at, id`); strings.Join(got, ", ") != "inbox.dismiss it was a test, inbox.retry applied" {
		t.Errorf("the audit log has %q", got)
	}
}

func TestRetryMessage_BeginsAnewWithItsPauses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.takes(t, message("m-1", inbox.EntryPost, deposit("t1", "customer:eva")))
	b.clock.advance(5 * time.Second)
	ok(t, b.WorkMessage(t.Context(), b.book.ID, "shop", "m-1"))
	was := b.kept(t, "m-1")
	_, err := b.RetryMessage(t.Context(), b.preparer, "shop", "m-1")
	ok(t, err)
	if m := b.kept(t, "m-1"); !m.NextAt.Equal(was.NextAt) || m.State != store.InboxFailed {
		t.Errorf("one that is tried by itself is %+v, and was %+v", m, was)
	}
	_, err = b.DismissMessage(t.Context(), b.preparer, "shop", "m-1", "a test")
	ok(t, err)
	_, err = b.RetryMessage(t.Context(), b.preparer, "shop", "m-1")
	ok(t, err)
	if m := b.kept(t, "m-1"); m.State != store.InboxFailed || !m.NextAt.Equal(b.clock.now().Add(5*time.Second)) {
		t.Errorf("one that had no pause left is %+v", m)
	}
}

func TestRetryMessages_TriesAllThatNeedIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 3 {
		b.takes(t, message(fmt.Sprintf("m-%d", i), inbox.EntryPost, deposit(fmt.Sprintf("t%d", i), "customer:eva")))
	}
	b.takes(t, message("m-3", "shop.opened", `{}`))
	b.takes(t, posts("m-4", "t4"))
	_, err := b.RetryMessages(t.Context(), b.viewer, store.InboxFilter{})
	refused(t, err, ledger.KindForbidden)
	b.open(t, "customer:eva", ledger.Liability)
	got, err := b.RetryMessages(t.Context(), b.preparer, store.InboxFilter{})
	ok(t, err)
	if want := (store.InboxRetries{Tried: 4, Applied: 3}); got != want {
		t.Errorf("it came to %+v", got)
	}
	if n, err := b.InboxToDo(t.Context(), b.viewer); err != nil || n != 1 {
		t.Errorf("to do are %d, %v", n, err)
	}
}

func TestInboxMessages_ArePagedFilteredAndCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	began := b.clock.now()
	for i := range 5 {
		b.takes(t, posts(fmt.Sprintf("m-%d", i), fmt.Sprintf("t%d", i)))
		b.clock.advance(time.Second)
	}
	b.takes(t, posts("m-2", "t2"))
	other := message("p-1", "shop.opened", `{}`)
	other.Source = "till"
	b.takes(t, other)
	list := func(f store.InboxFilter) string {
		t.Helper()
		var ids []string
		for {
			items, next, err := b.InboxMessages(t.Context(), b.viewer, f)
			ok(t, err)
			for _, m := range items {
				ids = append(ids, m.ID)
			}
			if f.Before = next; next == "" {
				return strings.Join(ids, " ")
			}
			ids = append(ids, "|")
		}
	}
	for want, f := range map[string]store.InboxFilter{
		"p-1 m-4 | m-3 m-2 | m-1 m-0": {Limit: 2}, "p-1": {Source: "till"}, "m-2": {Duplicate: true}, "m-3": {Words: "M-3"}, "m-4 m-3 m-2 m-1 m-0": {Words: "entry.p"},
		"p-1 ": {States: []store.InboxState{store.InboxParked, store.InboxFailed}}, "": {Words: "%"},
	} {
		if got := list(f); got != strings.TrimSpace(want) {
			t.Errorf("%+v gave %q", f, got)
		}
	}
	_, _, err := b.InboxMessages(t.Context(), b.viewer, store.InboxFilter{Before: "x!"})
	refused(t, err, ledger.KindInvalid)
	figures, err := b.InboxFigures(t.Context(), b.viewer, began.Add(time.Second))
	ok(t, err)
	if figures.Deliveries != 6 || figures.Applied != 4 || figures.Duplicates != 1 || figures.Parked != 1 || len(figures.BySource) != 2 {
		t.Errorf("the figures are %+v", figures)
	}
	if got, want := figures.BySource[0], (store.InboxSource{Source: "shop", Messages: 4, Duplicates: 1, LastAt: began.Add(4 * time.Second)}); got != want {
		t.Errorf("of the shop they are %+v", got)
	}
	counts, err := b.InboxUnapplied(t.Context())
	ok(t, err)
	if len(counts) != 1 || counts[store.InboxParked] != 1 {
		t.Errorf("unapplied are %v", counts)
	}
}

func TestReceiveFile_TakesEachLineForItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	line := func(id, data string) string {
		return fmt.Sprintf(`{"source":"shop","message_id":%q,"type":"entry.post","data":%s}`, id, data)
	}
	file := strings.Join([]string{
		line("m-1", deposit("t1", "customer:alice")), "", line("m-1", deposit("t1", "customer:alice")), line("m-2", deposit("t2", "customer:eva")) + "\r",
		`{"source":"shop"}`, line("m-1", deposit("t1", "customer:bob")), strings.Repeat("x", inbox.MaxBytes+1), line("m-3", deposit("t3", "customer:bob")),
	}, "\n")
	result, err := b.ReceiveFile(t.Context(), b.preparer, []byte(file))
	ok(t, err)
	if result.Delivered != 7 || result.Applied != 2 || result.Duplicates != 1 || result.Failed != 4 || result.Waiting != 0 {
		t.Errorf("it came to %+v", result)
	}
	var lines []string
	for _, l := range result.Lines {
		lines = append(lines, fmt.Sprintf("%d %s %s", l.Line, l.Result, l.Problem.Kind))
	}
	if got := strings.Join(lines, ", "); got != "4 failed unknown-account, 5 refused invalid, 6 refused message-id-reused, 7 refused too-large" {
		t.Errorf("its lines are %s", got)
	}
	again, err := b.ReceiveFile(t.Context(), b.preparer, []byte(file))
	ok(t, err)
	if again.Applied != 0 || again.Duplicates != 3 || again.Failed != 4 {
		t.Errorf("again it came to %+v", again)
	}
	_, err = b.ReceiveFile(t.Context(), b.viewer, []byte(file))
	refused(t, err, ledger.KindForbidden)
}

func TestMachineActor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.MachineActor(t.Context(), "main"); err == nil || ledger.KindOf(err) != ledger.KindInternal {
		t.Errorf("without a name it gave %v", err)
	}
	for email, kind := range map[string]ledger.Kind{"preparer@demo.test": "", "viewer@demo.test": ledger.KindForbidden, "nobody@demo.test": ledger.KindInternal} {
		actor, err := b.another(t, store.WithMachine(email)).MachineActor(t.Context(), "main")
		if kind == "" && (err != nil || actor.UserID != b.preparer.UserID) || kind != "" && ledger.KindOf(err) != kind {
			t.Errorf("%s gave %+v, %v", email, actor, err)
		}
	}
}

func TestGuards_KeepMessagesAsTheyCame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.takes(t, posts("m-1", "t1"))
	b.takes(t, message("m-2", "shop.opened", `{}`))
	owner := b.owner(t)
	for _, statement := range []string{
		`UPDATE inbox_messages SET data = '{}'`, `UPDATE inbox_messages SET type = 'x'`, `UPDATE inbox_messages SET received_at = now()`, `DELETE FROM inbox_messages`,
		`TRUNCATE inbox_messages CASCADE`, `UPDATE inbox_messages SET state = 'parked', problem = '{}' WHERE state = 'applied'`, `UPDATE inbox_messages SET seq = NULL WHERE state = 'applied'`,
		`UPDATE inbox_events SET note = 'x'`, `DELETE FROM inbox_events`, `TRUNCATE inbox_events`,
	} {
		for _, first := range []string{`SELECT 1`, `SET LOCAL session_replication_role = replica`} {
			if got := attempt(t, owner, first, statement); got != "DB001" {
				t.Errorf("%s; %s: %q", first, statement, got)
			}
		}
	}
	if got := attempt(t, owner, `UPDATE inbox_messages SET state = 'failed' WHERE message_id = 'm-2'`); got != "23514" {
		t.Errorf("one that fails and is never tried: %q", got)
	}
}
