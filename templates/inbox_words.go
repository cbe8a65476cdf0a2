package templates

import "daybook/templates/ui"

// What became of a message, or of a delivery of one.
const (
	InboxApplied   = "applied"
	InboxWaiting   = "waiting"
	InboxFailed    = "failed"
	InboxParked    = "parked"
	InboxDismissed = "dismissed"
	InboxDuplicate = "duplicate"
	InboxReused    = "reused"  // it came again with other data, which was refused
	InboxRefused   = "refused" // nothing was kept
)

// inboxWords are the results, each with its shape.
var inboxWords = map[string]ui.Chip{
	InboxApplied:   {Text: "Applied", Tone: ui.OK},
	InboxWaiting:   {Text: "Waiting", Icon: "hourglass", Tone: ui.Info},
	InboxFailed:    {Text: "Failed", Tone: ui.Bad},
	InboxParked:    {Text: "Parked", Icon: "lock", Tone: ui.Bad},
	InboxDismissed: {Text: "Set aside", Icon: "file-off"},
	InboxDuplicate: {Text: "Duplicate", Icon: "copy"},
	InboxRefused:   {Text: "Refused", Tone: ui.Bad},
	InboxReused:    {Text: "Other data, refused", Icon: "equal-not", Tone: ui.Warn},
}

// wayWords say how something came in.
var wayWords = map[string]string{
	"api": "API", "cloudevents": "CloudEvents", "webhook": "Webhook", "broker": "Broker", "file": "File",
}
