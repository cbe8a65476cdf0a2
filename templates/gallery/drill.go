package gallery

import (
	"slices"
	"time"

	"daybook/templates"
)

func drill() templates.Drill {
	return templates.Drill{Shell: shell("Drill", templates.PageKeys), Form: "form-2c1d-4e8b-9a70"}
}

func drillRunning() templates.Drill {
	view := drill()
	view.Running = true
	return view
}

func drilled() templates.Drill {
	view := drill()
	view.RanAt, view.RanBy, view.Callers, view.Delay = at("2026-04-02T09:15:00Z"), "Dana Okafor", 40, 15*time.Millisecond
	raced := []int{40, 40, 40, 40, 40, 38, 40, 40, 31, 40, 40, 40, 40, 40, 40}
	once := slices.Repeat([]int{1}, 15)
	view.Rows = []templates.DrillRow{
		{Place: "in memory", Calls: slices.Repeat([]int{40}, 15)},
		{Place: "on the database", Calls: raced},
		{Place: "in memory", Calls: once, Once: 15, Claim: true, Held: true},
		{Place: "on the database", Calls: once, Once: 15, Claim: true, Held: true},
	}
	return view
}

func drillFailed() templates.Drill {
	view := drilled()
	view.Rows[3].Held, view.Rows[3].Fault = false, "2 callers got no answer: the database does not answer: try again in a moment"
	return view
}
