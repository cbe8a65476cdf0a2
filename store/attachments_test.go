package store_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func TestAttachToBreak_KeepsTheFileAsItCame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, _, lone := b.less(t)
	letter := []byte("%PDF-1.7 the bank's letter\x00\xff")
	attached, _, err := b.AttachToBreak(t.Context(), b.approver, "k", lone.ID, `C:\Users\me\Brief März.pdf`, letter)
	ok(t, err)
	again, duplicate, err := b.AttachToBreak(t.Context(), b.approver, "k", lone.ID, `C:\Users\me\Brief März.pdf`, letter)
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, attached) || attached.Name != "Brief März.pdf" || attached.ContentType != "application/pdf" || attached.SizeBytes != len(letter) || attached.User != "approver" {
		t.Fatalf("attached %+v, again %+v", attached, again)
	}
	_, _, err = b.AttachToBreak(t.Context(), b.approver, "k", lone.ID, "other.pdf", letter)
	refused(t, err, ledger.KindKeyReused)
	all, err := b.Attachments(t.Context(), b.auditor, lone.ID)
	ok(t, err)
	found, content, err := b.Attachment(t.Context(), b.auditor, lone.ID, attached.ID)
	ok(t, err)
	if len(all) != 1 || !reflect.DeepEqual(all[0], found) || !bytes.Equal(content, letter) || found.Hash != attached.Hash {
		t.Errorf("found %+v with %d bytes, listed %+v", found, len(content), all)
	}
	after, events, err := b.Break(t.Context(), b.viewer, lone.ID)
	ok(t, err)
	if last := events[len(events)-1]; last.Event != "attached" || last.AttachmentID != attached.ID || last.Note != "Brief März.pdf" || last.User != "approver" {
		t.Errorf("its history ends with %+v", last)
	}
	if after.Version != lone.Version {
		t.Errorf("it is version %d, and %d with a file", lone.Version, after.Version)
	}
	for _, at := range [][2]int64{{lone.ID, 99}, {lone.ID - 1, attached.ID}, {99, attached.ID}} {
		_, _, err = b.Attachment(t.Context(), b.viewer, at[0], at[1])
		refused(t, err, ledger.KindNotFound)
	}
	for _, statement := range []string{`UPDATE break_attachments SET name = 'x'`, `DELETE FROM break_attachments`, `TRUNCATE break_attachments CASCADE`} {
		if got := attempt(t, b.owner(t), statement); got != "DB001" {
			t.Errorf("%s gave %q", statement, got)
		}
	}
}

func TestAttachToBreak_RefusesWhatMisleads(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, _, lone := b.less(t)
	some := []byte("x")
	for name, c := range map[string]struct {
		actor   store.Actor
		id      int64
		file    string
		content []byte
		kind    ledger.Kind
		says    string
	}{
		"EmptyFile":     {b.preparer, lone.ID, "a.txt", nil, ledger.KindInvalid, "is empty"},
		"LargeFile":     {b.preparer, lone.ID, "a.txt", make([]byte, store.MaxAttachmentBytes+1), ledger.KindInvalid, "is larger than 5 MiB"},
		"NoName":        {b.preparer, lone.ID, "folder/", some, ledger.KindInvalid, "has no name"},
		"Dots":          {b.preparer, lone.ID, "../..", some, ledger.KindInvalid, "has no name"},
		"LongName":      {b.preparer, lone.ID, strings.Repeat("ä", 201), some, ledger.KindInvalid, "more than 200 characters"},
		"LineBreak":     {b.preparer, lone.ID, "a\r\nSet-Cookie: x", some, ledger.KindInvalid, "characters that do not show"},
		"TurnedReading": {b.preparer, lone.ID, "invoice\u202efdp.exe", some, ledger.KindInvalid, "characters that do not show"},
		"NoText":        {b.preparer, lone.ID, "a\xff.txt", some, ledger.KindInvalid, "characters that do not show"},
		"Viewer":        {b.viewer, lone.ID, "a.txt", some, ledger.KindForbidden, "resolve"},
		"NoBreak":       {b.preparer, 99, "a.txt", some, ledger.KindNotFound, "no break 99"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := b.AttachToBreak(t.Context(), c.actor, "", c.id, c.file, c.content)
			refused(t, err, c.kind)
			if !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("it says %v, want %q", err, c.says)
			}
		})
	}
	for i := range store.MaxAttachments {
		_, _, err := b.AttachToBreak(t.Context(), b.preparer, "", lone.ID, fmt.Sprint(i), some)
		ok(t, err)
	}
	_, _, err := b.AttachToBreak(t.Context(), b.preparer, "", lone.ID, "one more", some)
	refused(t, err, ledger.KindInvalid)
}

func TestAttachToBreak_EndsWithTheSigning(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.marchUpload(t)
	lone := b.onlyBreak(t, id, recon.MissingInLedger)
	b.settle(t, id)
	b.submit(t, id)
	attached, _, err := b.AttachToBreak(t.Context(), b.preparer, "", lone.ID, "letter.txt", []byte("x")) // who signs may have asked for it
	ok(t, err)
	_, _, err = b.SignOff(t.Context(), b.approver, "", id, "agreed")
	ok(t, err)
	_, _, err = b.AttachToBreak(t.Context(), b.preparer, "", lone.ID, "late.txt", []byte("x"))
	refused(t, err, ledger.KindIllegalTransition)
	if _, content, err := b.Attachment(t.Context(), b.auditor, lone.ID, attached.ID); err != nil || string(content) != "x" {
		t.Errorf("signed off, it reads %q, %v", content, err)
	}
}
