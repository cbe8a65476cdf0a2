package templates

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"daybook/recon"
	"daybook/store/ledger"
)

// bankScreens are the pages of reversals, statements and breaks that golden files hold, by name.
func bankScreens() map[string]templ.Component {
	dark := reconciliation()
	dark.Theme = "dark"
	filtered := reconciliation()
	filtered.Type, filtered.Status, filtered.Groups = recon.Timing, BreaksExplained, filtered.Groups[5:6]
	nothing := reconciliation()
	nothing.Type, nothing.Status, nothing.Groups = recon.CurrencyMismatch, BreaksOpen, nil
	unmatched := reconciliation()
	unmatched.Latest, unmatched.Unmatched = true, 3
	older := reconciliation()
	older.Latest, older.Newest = false, 9
	late := breakResolved()
	late.Pending = []PendingReversal{{Request: 8, Seq: 1355}}
	late.Late = &LateWork{Done: late.LastChange(), Resolution: recon.CarriedForward, Reason: recon.TimingCutoff, Note: "Expect it in April"}
	superseded := breakResolved()
	superseded.Status.Resolution = recon.Superseded
	superseded.Events = append(superseded.Events[:1:1], BreakEvent{At: at("2026-04-03T08:00:00Z"), Event: "superseded", Note: "settled by the matching of reconciliation 9"})
	sent := reversalWithReplacement()
	sent.Sent = 62
	return map[string]templ.Component{
		"reverse":                  ReversePage(reversal()),
		"reverse-replace":          ReversePage(reversalWithReplacement()),
		"reverse-refused":          ReversePage(reversalRefused()),
		"reverse-sent":             ReversePage(sent),
		"reverse-impossible":       ReversePage(reversalImpossible()),
		"approvals":                ApprovalsPage(approvals()),
		"approvals-own":            ApprovalsPage(ownApproval()),
		"approvals-blocked":        ApprovalsPage(blockedApproval()),
		"approvals-viewer":         ApprovalsPage(viewedApproval()),
		"approvals-done":           ApprovalsPage(decidedApproval()),
		"approvals-none":           ApprovalsPage(Approvals{Shell: shell("Approvals", PageApprovals), Status: ApprovalsForMe, MayDecide: true}),
		"statements":               StatementsPage(statements()),
		"statements-none":          StatementsPage(Statements{Shell: shell("Statements", PageStatements)}),
		"upload":                   UploadPage(upload()),
		"upload-refused":           UploadPage(uploadRefused()),
		"reconciliation":           ReconciliationPage(reconciliation()),
		"reconciliation-dark":      ReconciliationPage(dark),
		"reconciliation-unmatched": ReconciliationPage(unmatched),
		"reconciliation-older":     ReconciliationPage(older),
		"break-late":               BreakPage(late),
		"break-superseded":         BreakPage(superseded),
		"reconciliation-filtered":  ReconciliationPage(filtered),
		"reconciliation-nothing":   ReconciliationPage(nothing),
		"reconciliation-agreed":    ReconciliationPage(agreed()),
		"reconciliation-matched":   ReconciliationPage(matchedTab()),
		"reconciliation-lines":     ReconciliationPage(linesTab()),
		"reconciliation-rows":      ReconciliationPage(rowsTab()),
		"break":                    BreakPage(breakPage()),
		"break-refused":            BreakPage(breakRefused()),
		"break-resolved":           BreakPage(breakResolved()),
		"break-ambiguous":          BreakPage(breakAmbiguous()),
	}
}

func TestBankScreensAreAsAgreed(t *testing.T) {
	t.Parallel()
	for name, screen := range bankScreens() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, screen)
			checkPolicy(t, screen)
		})
	}
}

func TestEveryBankScreenHasOneHeadingAndOneMain(t *testing.T) {
	t.Parallel()
	for name, screen := range bankScreens() {
		html := page(t, screen)
		for _, tag := range []string{"<h1", "<main", "<title"} {
			if n := strings.Count(html, tag); n != 1 {
				t.Errorf("%s has %d of %s", name, n, tag)
			}
		}
	}
}

func TestARequesterCanRecallButNotDecide(t *testing.T) {
	t.Parallel()
	html := page(t, ApprovalsPage(ownApproval()))
	for _, action := range []string{"/approvals/58/approve", "/approvals/58/reject"} {
		if strings.Contains(html, action) {
			t.Errorf("the requester is offered %s", action)
		}
	}
	for _, want := range []string{"/approvals/58/recall", "You requested this; another person must approve."} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestWhoLacksTheRightIsToldAndHasNoForm(t *testing.T) {
	t.Parallel()
	ambiguous := breakAmbiguous()
	for right, html := range map[string]string{
		"decide":  page(t, ApprovalsPage(viewedApproval())),
		"resolve": page(t, BreakPage(ambiguous)),
	} {
		if !strings.Contains(html, "It needs the right “"+right+"”") {
			t.Errorf("the page does not say that the right %s is missing", right)
		}
		if strings.Contains(html, `name="form"`) {
			t.Errorf("the page for a person without the right %s holds a form", right)
		}
	}
}

func TestApprovingAndRejectingHaveNoKey(t *testing.T) {
	t.Parallel()
	if html := page(t, ApprovalsPage(approvals())); strings.Contains(html, "data-hotkey") {
		t.Error("a single key decides about a request")
	}
}

func TestAnApprovalThatCannotTakeEffectIsDisabledWithItsReason(t *testing.T) {
	t.Parallel()
	html := page(t, ApprovalsPage(blockedApproval()))
	if !strings.Contains(html, "March 2026 is closed") || !strings.Contains(html, `type="button" disabled`) {
		t.Error("approve can be pressed although it cannot take effect")
	}
}

func TestEveryBankFormCarriesItsKey(t *testing.T) {
	t.Parallel()
	for name, screen := range bankScreens() {
		html := page(t, screen)
		// Signing out needs none, nor does matching again: done twice, each does once.
		posts := strings.Count(html, `method="post"`) - 1 - strings.Count(html, `/match" class`)
		if keys := strings.Count(html, `name="form" value="form-`); keys != posts {
			t.Errorf("%s has %d forms and %d keys", name, posts, keys)
		}
	}
}

func TestBankTextFromOutsideIsShownAsText(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert(1)</script>`
	r := reconciliation()
	r.FileName, r.Groups[0].Rows[0].Bank[0].Description, r.Groups[0].Rows[0].Why = hostile, hostile, hostile
	u := uploadRefused()
	u.Refusal.FileName, u.Refusal.Detail, u.Refusal.Rejects[0].Raw, u.Hints[0] = hostile, hostile, hostile, hostile
	b := breakPage()
	b.Bank[0].Raw, b.Events[1].Note = hostile, hostile
	v := reversalRefused()
	v.Reason, v.Replacement.TxID = hostile, hostile
	a := approvals()
	a.Queue[0].Reason, a.Detail.Reason = hostile, hostile
	for _, screen := range []templ.Component{ReconciliationPage(r), UploadPage(u), BreakPage(b), ReversePage(v), ApprovalsPage(a)} {
		if strings.Contains(page(t, screen), "<script>alert") {
			t.Error("markup from outside reached the page")
		}
	}
}

func TestTheProofReadsAsItIsAddedUp(t *testing.T) {
	t.Parallel()
	p := reconciliation().proof()
	sum := p.Terms[0].Money.Minor
	for _, term := range p.Terms[1:4] {
		if term.Money.Minor < 0 {
			t.Errorf("%s is shown with a sign of its own", term.Label)
		}
		if term.Op == "+" {
			sum += term.Money.Minor
		} else {
			sum -= term.Money.Minor
		}
	}
	if expected := p.Terms[4].Money.Minor; sum != expected {
		t.Errorf("the terms add up to %d, the proof says %d", sum, expected)
	}
	if p.Chip.Text != "Not proven" || agreed().proof().Chip.Text != "Proven" {
		t.Error("the word does not follow the unexplained difference")
	}
	offset := reconciliation()
	offset.Proof.UnexplainedMinor = 0
	offset.Kinds = []BreakKind{{Type: recon.MissingInBank, Status: BreaksOpen, Count: 1, SumMinor: 500}, {Type: recon.MissingInLedger, Status: BreaksOpen, Count: 1, SumMinor: -500}}
	if chip := offset.proof().Chip; chip.Text != "Breaks open" || !strings.HasPrefix(offset.openSentence(), "Differences cancel out: 2 breaks are open") {
		t.Errorf("breaks that cancel out are %q: %s", chip.Text, offset.openSentence())
	}
	if row := (StatementRow{OpenBreaks: 2}); row.chip().Text != "Breaks open" {
		t.Errorf("the list calls breaks that cancel out %q", row.chip().Text)
	}
}

func TestDigitsAreMarkedOnlyWhereOneLineStandsAgainstOnePosting(t *testing.T) {
	t.Parallel()
	html := page(t, ReconciliationPage(reconciliation()))
	for _, want := range []string{`(1,2<mark class="diff">48</mark>.50)`, `(1,2<mark class="diff">84</mark>.50)`, "— not in ledger", "— not on statement"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if pairOf(bankSide(1, "2026-03-01", 1, "", ""), append(ledgerSide(1, "2026-03-01", 1, "", ""), ledgerSide(2, "2026-03-01", 2, "", "")...)) != nil {
		t.Error("one line is compared with two postings")
	}
	foreign := ledgerSide(1, "2026-03-01", 1, "", "")
	foreign[0].Currency = "USD"
	if pairOf(bankSide(1, "2026-03-01", 1, "", ""), foreign) != nil {
		t.Error("amounts of two currencies are compared digit by digit")
	}
}

func TestTheSentenceUnderTheProofSaysWhereTheDifferenceLies(t *testing.T) {
	t.Parallel()
	v := reconciliation()
	v.Proof.UnexplainedMinor++
	if got := v.openSentence(); !strings.Contains(got, "1,848.95; the rest lies outside") {
		t.Error(got)
	}
	v = agreed()
	v.Proof.UnexplainedMinor = 5
	if got := v.openSentence(); !strings.HasPrefix(got, "No break is open: the difference lies outside") {
		t.Error(got)
	}
}

func TestAPeriodOfAWholeMonthHasItsName(t *testing.T) {
	t.Parallel()
	for want, days := range map[string][2]string{
		"February 2028":            {"2028-02-01", "2028-02-29"},
		"2026-02-01 to 2026-02-27": {"2026-02-01", "2026-02-27"},
		"2026-03-01 to 2026-04-30": {"2026-03-01", "2026-04-30"},
	} {
		if got := period(ledger.MustDate(days[0]), ledger.MustDate(days[1])); got != want {
			t.Errorf("period %v is called %s, want %s", days, got, want)
		}
	}
}

func TestEveryBreakTypeAndPlainResolutionIsExplained(t *testing.T) {
	t.Parallel()
	for _, kind := range recon.BreakTypes() {
		if typeWords[kind].icon == "" || typeWords[kind].meaning == "" {
			t.Errorf("nothing is said about %s", kind)
		}
	}
	for _, how := range recon.PlainResolutions() {
		if resolutionWords[how].icon == "" || resolutionWords[how].meaning == "" {
			t.Errorf("nothing is said about %s", how)
		}
	}
}

func TestABreakIsListedByWhatTheProofMakesOfIt(t *testing.T) {
	t.Parallel()
	for want, statuses := range map[string][]BreakStatus{
		BreaksOpen:      {{Status: recon.Open}, {Status: recon.InReview}, {Status: recon.WaitingForApproval}},
		BreaksExplained: {{recon.Resolved, recon.CarriedForward}, {recon.Resolved, recon.External}},
		BreaksResolved:  {{recon.Resolved, recon.NotABreak}, {recon.Resolved, recon.Superseded}},
	} {
		for _, s := range statuses {
			if got := s.Standing(); got != want {
				t.Errorf("%+v is listed as %s, want %s", s, got, want)
			}
		}
	}
}
