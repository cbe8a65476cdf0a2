package demobook

import (
	"slices"
	"time"

	"daybook/store/ledger"
)

// dayPlan is the order in which people and machines book on a day, and when they send what they have.
func dayPlan() []struct {
	by string
	at time.Duration
} {
	return []struct {
		by string
		at time.Duration
	}{
		{Processor, 6*time.Hour + 10*time.Minute + 4*time.Second},
		{Preparer, 14*time.Hour + 38*time.Minute + 12*time.Second},
		{Second, 15*time.Hour + 4*time.Minute + 45*time.Second},
		{Controller, 15*time.Hour + 31*time.Minute + 20*time.Second},
		{Webshop, 21*time.Hour + 30*time.Minute},
	}
}

// steps turns the bookings, which are in the order of their days, into batches of a day and a person, and reversals into requests
// and decisions of the afternoon.
func (j *journal) steps() []Step {
	var steps []Step
	for first := 0; first < len(j.bookings); {
		end := first
		for end < len(j.bookings) && j.bookings[end].EffectiveOn == j.bookings[first].EffectiveOn {
			end++
		}
		steps = append(steps, stepsOfDay(j.bookings[first:end])...)
		first = end
	}
	return steps
}

func stepsOfDay(bookings []*booking) []Step {
	var steps []Step
	midnight := bookings[0].EffectiveOn.Time()
	for _, plan := range dayPlan() {
		post := Step{At: midnight.Add(plan.at), By: plan.by}
		for _, b := range bookings {
			if b.by == plan.by && b.reverses == "" && b.replaces == "" {
				post.Post = append(post.Post, b.Entry)
			}
		}
		if len(post.Post) > 0 {
			steps = append(steps, post)
		}
	}
	at := midnight.Add(16 * time.Hour)
	for _, b := range bookings {
		if b.reverses != "" {
			steps = append(steps, b.reversal(bookings, at)...)
			at = at.Add(20 * time.Minute)
		}
	}
	return steps
}

// reversal asks for a reversal, with the replacement among the bookings of the day, and approves it by another person.
func (b *booking) reversal(bookings []*booking, at time.Time) []Step {
	request := Request{Subject: b.reverses, EffectiveOn: b.EffectiveOn, Reason: reasons()[b.reverses]}
	if i := slices.IndexFunc(bookings, func(r *booking) bool { return r.replaces == b.reverses }); i >= 0 {
		request.Replacement = &bookings[i].Entry
	}
	decider := Controller
	if b.by == Controller {
		decider = Approver
	}
	return []Step{
		{At: at, By: b.by, Request: &request},
		{At: at.Add(12 * time.Minute), By: decider, Approve: &Decision{Subject: b.reverses, Note: "Checked against the document."}},
	}
}

// reasons says why an entry was reversed.
func reasons() map[string]string {
	return map[string]string{
		"inv-0112":     "Booked on Servies West; the invoice went to Linde & Dochters.",
		"bill-kn-853":  "Digits wrong: the bill says 459.00 before VAT, not 549.00.",
		"dep-2026-01":  "Taken from the plan of 2025. The plan of 2026 has 895.00 a month.",
		"rent-2026-03": "The rent is 2,105.00 before VAT since January, not 2,150.00.",
	}
}

// uploads are the statements of 1010 that have come, and a request of February that was rejected.
func uploads(january, february bankMonth) []Step {
	at := func(day string, hour, minute int) time.Time {
		return ledger.MustDate(day).Time().Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	}
	return []Step{
		{At: at("2026-02-02", 8, 30), By: Preparer, Upload: &Upload{"1010", january.file("nordbank-1010-2026-01.csv"), newYear, endOfJanuary}},
		{At: at("2026-02-17", 9, 15), By: Second, Request: &Request{
			Subject: "bill-fk-288", EffectiveOn: ledger.MustDate("2026-02-17"), Reason: "Dearer than the bills before: 274.00 for two weeks.",
		}},
		{At: at("2026-02-17", 13, 40), By: Approver, Reject: &Decision{
			"bill-fk-288", "The bill is right: it has the rates of 2026. Ask Fietskoerier for a credit note if the rates were agreed.",
		}},
		{At: at("2026-03-02", 8, 30), By: Preparer, Upload: &Upload{"1010", february.file("nordbank-1010-2026-02.csv"), endOfJanuary.AddDays(1), endOfFebruary}},
	}
}

// pending are the three requests that wait for approval when the story ends.
func pending() []Step {
	at := endOfMarch.Time()
	refund := entryOf("Refund by bank, 20614", "RFD-20614", eur("4090", 5_364), eur("2200", 1_126), eur("1010", -6_490))
	payment := entryOf("Leem & Zoon, LZ-2291", "LZ-2291", move("2010", "1010", 124_850)...)
	return []Step{
		{At: at.Add(-8 * time.Hour), By: Preparer, Request: &Request{
			Subject: "ins-2026-03b", EffectiveOn: endOfMarch, Reason: "Duplicate posting: same policy and month as ins-2026-03, and the bank took it once.",
		}},
		{At: at.Add(31 * time.Hour), By: Preparer, Request: &Request{
			Subject: "rfd-bank-0324", EffectiveOn: endOfMarch, Replacement: refund, Reason: "Sign flipped: the refund was booked as money in. The bank paid 64.90 out.",
		}},
		{At: at.Add(32 * time.Hour), By: Controller, Request: &Request{
			Subject: "pay-lz-2291", EffectiveOn: endOfMarch, Replacement: payment, Reason: "Digits swapped: the bill and the bank have 1,248.50, we booked 1,284.50.",
		}},
	}
}

// entryOf is a replacement dated at the end of March; its tx id is given by the book.
func entryOf(description, reference string, postings ...ledger.Posting) *ledger.Entry {
	return &ledger.Entry{EffectiveOn: endOfMarch, Description: description, Postings: postings, Metadata: map[string]string{"reference": reference}}
}
