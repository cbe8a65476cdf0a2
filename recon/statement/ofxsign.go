package statement

import (
	"fmt"

	"daybook/store/ledger"
)

// ofxSides are the kinds of entries that move money one way only. The others go by their sign alone.
var ofxSides = map[string]int64{
	"DEBIT": -1, "CHECK": -1, "FEE": -1, "SRVCHG": -1, "DIRECTDEBIT": -1, "POS": -1, "ATM": -1, "CASH": -1, "PAYMENT": -1,
	"CREDIT": 1, "DEP": 1, "DIRECTDEP": 1, "DIV": 1,
}

// side gives which way money goes by the kind of a line, 0 where that does not say it. A payment to a card is money in.
func (s *ofxStmt) side(line int) int64 {
	if kind := s.kinds[line]; kind != "PAYMENT" || !s.owed {
		return ofxSides[kind]
	}
	return 0
}

// unsignedEntry is money out by its kind, printed as an amount without a minus where no amount of its account has one.
type unsignedEntry struct {
	kind string
	line Line
}

// signByKind gives amounts their signs from their kinds where a bank prints none: no amount of an account is negative, although there are kinds of
// money out as well as of money in. Where there are only kinds of money out, it is left open: they may be printed without a sign, or come back.
func signByKind(stmts []*ofxStmt) {
	of := map[[2]string][]*ofxStmt{}
	for _, s := range stmts {
		key := [2]string{s.account, s.kind}
		of[key] = append(of[key], s)
	}
	for _, stmts := range of {
		out, in, signed := sidesOf(stmts)
		for _, s := range stmts {
			switch {
			case signed || out == nil:
			case in:
				s.signByKind()
			default:
				s.unsigned = out
			}
		}
	}
}

// sidesOf tells what the amounts of an account are printed like: the first that is money out by its kind without a minus, whether one is money in by
// its kind, and whether any has a minus.
func sidesOf(stmts []*ofxStmt) (out *unsignedEntry, in, signed bool) {
	for _, s := range stmts {
		for i, l := range s.lines {
			signed = signed || l.AmountMinor < 0
			if l.AmountMinor <= 0 {
				continue
			}
			if in = in || s.side(i) > 0; s.side(i) < 0 && out == nil {
				out = &unsignedEntry{s.kinds[i], l}
			}
		}
	}
	return out, in, signed
}

func (s *ofxStmt) signByKind() {
	kept, kinds := s.lines[:0], s.kinds[:0]
	for i, line := range s.lines {
		side, kind := s.side(i), s.kinds[i]
		if side == 0 && line.AmountMinor != 0 {
			s.reject(line.Row, ReasonBadAmount, fmt.Sprintf("the amounts of the file have no sign, and the kind %q does not say whether this one is money in or out", short(kind)), line.Raw)
			continue
		}
		line.AmountMinor *= side
		kept, kinds = append(kept, line), append(kinds, kind)
	}
	s.lines, s.kinds = kept, kinds
}

// settleSigns decides what amounts without a sign mean that can only be money out: by the balances, where they prove one reading, else as
// was told. What a card owes goes up with money out, so that there only balances below zero prove anything.
func (all parts) settleSigns(t *told) error {
	var open *unsignedEntry
	owed := false
	for _, p := range all {
		owed = owed || p.owed
		if open == nil {
			open = p.unsigned
		}
	}
	if open == nil || t.signTold {
		return nil
	}
	printed := all.proved()
	all.turnLines()
	turned := all.proved()
	if turned && !printed {
		return nil
	}
	all.turnLines()
	if printed && !turned && !owed {
		return nil
	}
	return open.refusal()
}

// proved reports whether entries lead from balance to balance, and do so anywhere.
func (all parts) proved() bool {
	found, _ := all.inOrder().walk()
	return found.at == nil && found.compared > 0
}

// refusal asks which way the money goes.
func (e *unsignedEntry) refusal() *Refusal {
	amount := ledger.FormatAmount(e.line.AmountMinor, e.line.Currency) + " " + e.line.Currency
	return refuse(ClassAmbiguousSign, e.line.Row, "Entry %d is of the kind %s, which is money out, and its amount of %s has no minus; nor has any other of the account. Say whether amounts without a minus are money out (hint sign=invert) or money in (hint sign=normal).",
		e.line.Row, short(e.kind), amount).
		asking(&Question{Hint: "sign", Row: e.line.Row, Sample: short(e.kind) + " " + amount,
			Answers: []Answer{{Value: "invert", Meaning: "money out"}, {Value: "normal", Meaning: "money in"}}})
}
