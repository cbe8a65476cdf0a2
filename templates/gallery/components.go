package gallery

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func componentsScreens() []Screen {
	return []Screen{{"components", "All components in each state", groupComponents, componentsPage(shell("Components", ""))}}
}

// colour is a colour of the style sheet.
type colour struct{ name, use string }

func neutralTokens() []colour {
	return []colour{
		{"--ink", "Text, figures, the rules of totals"}, {"--ink-2", "Secondary text, words of chips"}, {"--ink-3", "Captions, column heads, zero"},
		{"--rule", "Rules between rows"}, {"--rule-2", "Rules of sections, borders of buttons"}, {"--field", "Borders of fields"},
		{"--paper", "Page"}, {"--ground", "Navigation, hover, opened row"}, {"--raise", "Pressed, disabled"},
	}
}

func statusTokens() []colour {
	return []colour{
		{"--accent", "Links, primary button, focus, what is current"}, {"--accent-wash", "Chosen row"},
		{"--ok", "Holds, done, matched"}, {"--warn", "Waits, look here, differs"}, {"--bad", "Refused, failed, not proven"},
	}
}

// moneyCase is an amount in minor units that is shown in each number of decimals.
type moneyCase struct {
	name   string
	minor  int64
	spoken string
}

func moneyCases() []moneyCase {
	return []moneyCase{
		{"Positive", 8081520, "80,815.20"}, {"Negative", -184895, "minus 1,848.95"}, {"Zero, known", 0, "0.00"},
		{"Twelve digits and more", 123456789012345, "1,234,567,890,123.45"}, {"The largest", ledger.MaxAmountMinor, "92,233,720,368,547,758.07"},
	}
}

// chipRow is a family of chips.
type chipRow struct {
	name  string
	chips ui.Tags
}

func chipRows() []chipRow {
	var types, statuses, resolutions ui.Tags
	for _, t := range recon.BreakTypes() {
		types = append(types, templates.TypeChip(t))
	}
	for _, s := range []recon.Status{recon.Open, recon.InReview, recon.WaitingForApproval} {
		statuses = append(statuses, templates.BreakStatus{Status: s}.Chip())
	}
	for _, r := range []recon.Resolution{
		recon.MatchedByHand, recon.Adjusted, recon.Reversed, recon.CarriedForward, recon.WrittenOff, recon.External, recon.NotABreak, recon.Superseded,
	} {
		resolutions = append(resolutions, templates.BreakStatus{Status: recon.Resolved, Resolution: r}.Chip())
	}
	return []chipRow{
		{"Break types", types}, {"Break status", statuses}, {"Resolutions", resolutions},
		{"Entry", ui.Tags{
			{Text: "Reverses", Icon: "arrow-back-up", Ref: entryLink(1163)}, {Text: "Reversed by", Tone: ui.Warn, Icon: "arrow-back-up", Ref: entryLink(1182)},
			{Text: "Replaces", Tone: ui.Info, Icon: "replace", Ref: entryLink(1163)},
		}},
		{"Tones", ui.Tags{
			{Text: "Neutral"}, {Text: "Holds", Tone: ui.OK}, {Text: "Waits", Tone: ui.Warn}, {Text: "Failed", Tone: ui.Bad}, {Text: "In progress", Tone: ui.Info},
		}},
		{"Boxed", ui.Tags{{Text: "Back-dated", Tone: ui.Warn, Box: true}, {Text: "Over limit", Icon: "scale", Box: true}}},
		{"Link", ui.Tags{{Text: "Break B-311", Tone: ui.Warn, Href: shell("", "").Book.URL("breaks", "311")}}},
	}
}

func entryLink(seq int64) ui.Link {
	return ui.Link{Text: ui.Format{}.Seq(seq), Href: shell("", "").Book.EntryURL(seq)}
}
