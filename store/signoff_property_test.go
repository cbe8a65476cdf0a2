package store_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"daybook/store"
	"daybook/store/ledger"
)

// signedVersion names what was signed off.
type signedVersion struct {
	id      int64
	version int
}

// TestSignOff_KeepsWhatItSaidWhateverPeopleDo lets people work, submit, sign off and reopen at random, and holds every statement that was ever
// signed against what it was then.
func TestSignOff_KeepsWhatItSaidWhateverPeopleDo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	checkSome(t, 6, func(r *rapid.T, round int) {
		d := &desk{bundle: b, t: t, r: r, account: fmt.Sprintf("signed:%d", round)}
		b.open(t, d.account, ledger.Asset)
		d.post("2026-02", 2)
		d.post("2026-03", 4)
		d.upload("2026-03", "2026-03-31")
		kept := map[signedVersion]store.ReconciliationStatement{}
		steps := map[string]func() error{
			"post": d.postOne, "match again": d.matchAgain, "next statement": d.nextStatement, "match": d.matchSome, "match all of": d.matchEven, "unmatch": d.unmatch,
			"resolve": d.resolvePlain, "adjust": d.adjust, "decide": d.decide, "reopen": d.reopen, "reverse": d.reverseAdjustment,
			"submit":  func() error { return d.submitSome() },
			"sign":    func() error { return d.signSome(kept) },
			"open up": func() error { return d.openUp() },
		}
		for range rapid.IntRange(5, 16).Draw(r, "steps") {
			name := rapid.SampledFrom([]string{"post", "match again", "next statement", "match", "match all of", "unmatch", "resolve", "adjust", "decide", "reopen", "reverse",
				"adjust", "decide", "next statement", "submit", "sign", "sign", "sign", "sign", "open up"}).Draw(r, "step")
			d.note(name, steps[name]())
			d.stillSays(kept)
		}
	})
	if v := b.verify(t); v.Fault != nil {
		t.Errorf("verify finds %v", v.Fault)
	}
}

func (d *desk) submitSome() error {
	_, _, err := d.SubmitReconciliation(d.t.Context(), d.preparer, "", d.home(), store.Submission{Reason: "as it is"})
	return err
}

// signSome signs what was submitted before, or submits it just then.
func (d *desk) signSome(kept map[signedVersion]store.ReconciliationStatement) error {
	id := d.home()
	if rapid.Bool().Draw(d.r, "as it is now") {
		_, _, err := d.SubmitReconciliation(d.t.Context(), d.preparer, "", id, store.Submission{Reason: "as it is"})
		d.note("submit", err)
	}
	open, err := d.ReconciliationStatement(d.t.Context(), d.viewer, id, 0)
	if err != nil {
		d.r.Fatal(err)
	}
	r, _, err := d.SignOff(d.t.Context(), d.approver, "", id, "")
	if err != nil {
		return err
	}
	signed, err := d.ReconciliationStatement(d.t.Context(), d.viewer, id, r.Version)
	if err != nil {
		d.r.Fatal(err)
	}
	if signed.Proof != open.Proof || !reflect.DeepEqual(signed.Breaks, open.Breaks) || !reflect.DeepEqual(signed.Explained, open.Explained) ||
		!reflect.DeepEqual(signed.Adjustments, open.Adjustments) || !reflect.DeepEqual(signed.Kinds, open.Kinds) {
		d.r.Fatalf("after %v: what was to be signed is\n%+v\nand what was signed\n%+v", d.done, open, signed)
	}
	kept[signedVersion{id, r.Version}] = signed
	return nil
}

func (d *desk) openUp() error {
	_, _, err := d.ReopenReconciliation(d.t.Context(), d.preparer, "", d.home(), "once more")
	return err
}

// stillSays holds what was signed against what it was, and reads every statement as it is now, which must add up.
func (d *desk) stillSays(kept map[signedVersion]store.ReconciliationStatement) {
	for of, before := range kept {
		now, err := d.ReconciliationStatement(d.t.Context(), d.viewer, of.id, of.version)
		if err != nil {
			d.r.Fatal(err)
		}
		before.Current, before.Signed = now.Current, now.Signed
		if !reflect.DeepEqual(now, before) {
			d.r.Fatalf("after %v: version %d of reconciliation %d was\n%+v\nand is\n%+v", d.done, of.version, of.id, before, now)
		}
	}
	for _, id := range d.homes {
		if _, err := d.ReconciliationStatement(d.t.Context(), d.viewer, id, 0); err != nil {
			d.r.Fatalf("after %v: %v", d.done, err)
		}
	}
}
