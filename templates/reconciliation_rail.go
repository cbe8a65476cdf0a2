package templates

import (
	"strconv"

	"daybook/recon"
	"daybook/templates/ui"
)

// BreakViews counts the breaks of the rail’s views, of those that are not resolved.
type BreakViews struct{ Mine, Nobodys, Old int }

// rail narrows the table by type, standing and view; it always shows every kind there is.
func (v Reconciliation) rail() ui.Rail {
	all := v.railItem("list-details", "All breaks", "", "", v.count(""), v.sum(""), v.oldest(""))
	rail := ui.Rail{Label: "Breaks by type", Groups: []ui.RailGroup{{Title: "Breaks", Items: []ui.RailItem{all}}}}
	for _, g := range []struct{ title, status string }{{"Open", BreaksOpen}, {"Explained", BreaksExplained}, {"Resolved", BreaksResolved}} {
		group := ui.RailGroup{Title: g.title}
		for _, k := range v.Kinds {
			if k.Status == g.status {
				group.Items = append(group.Items, v.railItem(typeIcon(k.Type), k.Type.Label(), k.Type, k.Status, k.Count, k.SumMinor, k.OldestDays))
			}
		}
		if len(group.Items) > 1 {
			every := v.railItem("list-details", "All "+g.status, "", g.status, v.count(g.status), v.sum(g.status), v.oldest(g.status))
			group.Items = append([]ui.RailItem{every}, group.Items...)
		}
		if len(group.Items) > 0 {
			rail.Groups = append(rail.Groups, group)
		}
	}
	if v.Views != nil {
		rail.Groups = append(rail.Groups, v.views())
	}
	return rail
}

// oldest is the age in days of the oldest break of a standing, or of all.
func (v Reconciliation) oldest(status string) int {
	days := 0
	for _, k := range v.Kinds {
		if status == "" || k.Status == status {
			days = max(days, k.OldestDays)
		}
	}
	return days
}

func (v Reconciliation) railItem(icon, text string, breakType recon.BreakType, status string, count int, sumMinor int64, oldestDays int) ui.RailItem {
	other := Reconciliation{Shell: v.Shell, ID: v.ID, Type: breakType, Status: status}
	item := ui.RailItem{Icon: icon, Text: text, Href: other.address(""), Count: count, Money: money(sumMinor, v.Currency),
		Current: v.Type == breakType && v.Status == status && v.Owner == "" && !v.Old && v.Text == ""}
	if oldestDays > 0 {
		item.Note = v.Format.Number(oldestDays) + " d"
	}
	return item
}

// views are what people look for across types.
func (v Reconciliation) views() ui.RailGroup {
	view := func(icon, text, owner string, old bool, count int) ui.RailItem {
		other := Reconciliation{Shell: v.Shell, ID: v.ID, Owner: owner, Old: old}
		return ui.RailItem{Icon: icon, Text: text, Href: other.address(""), Count: count, Current: v.Owner == owner && v.Old == old}
	}
	return ui.RailGroup{Title: "Views", Items: []ui.RailItem{
		view("user", "Mine", "me", false, v.Views.Mine), view("user-question", "No owner", "none", false, v.Views.Nobodys),
		view("calendar-due", "Older than "+strconv.Itoa(OldDays)+" days", "", true, v.Views.Old),
	}}
}

func (v Reconciliation) emptyBreaks() ui.Empty {
	if v.narrowed() && v.BreakCount > 0 {
		return ui.Empty{Icon: "filter", Title: "No break of this kind", Text: "There are others on this account.",
			Actions: []ui.Button{{Text: "All breaks", Icon: "list-details", Href: v.path("")}}}
	}
	return ui.Empty{Icon: "circle-check", Title: "Both sides agree", Text: "Every line of the statement is matched with a posting, and every posting with a line."}
}
