package api

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/cloudevents/sdk-go/v2/event"
	eventhttp "github.com/cloudevents/sdk-go/v2/protocol/http"
	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/strictjson"
)

// isEvent reports whether a request is a CloudEvent: in its headers, or as a document.
func isEvent(header http.Header) bool {
	return header.Get("ce-specversion") != "" || header.Get("ce-id") != "" || mediaType(header) == event.ApplicationCloudEventsJSON
}

// isEventBatch reports whether a request is a list of CloudEvents.
func isEventBatch(header http.Header) bool {
	return mediaType(header) == event.ApplicationCloudEventsBatchJSON
}

func mediaType(header http.Header) string {
	media, _, _ := mime.ParseMediaType(header.Get(echo.HeaderContentType))
	return media
}

// readEvent reads a CloudEvent in either mode as a message: its source, id, type and data. What else it says is passed over. Error: KindInvalid.
func readEvent(request *http.Request, body []byte) (inbox.Message, error) {
	request, err := withEvents(request, body)
	if err != nil {
		return inbox.Message{}, err
	}
	read, err := eventhttp.NewEventFromHTTPRequest(request)
	if err != nil {
		return inbox.Message{}, &ledger.Error{Kind: ledger.KindInvalid, Message: "the body is not a CloudEvent: see its fields specversion, id, source and type", Err: err}
	}
	return messageOfEvent(*read)
}

// receiveEvents takes a list of CloudEvents in. Nothing is done for a list in which one cannot be read.
func (a *api) receiveEvents(c echo.Context, actor store.Actor, body []byte) error {
	request, err := withEvents(c.Request(), body)
	if err != nil {
		return err
	}
	events, err := eventhttp.NewEventsFromHTTPRequest(request)
	if err != nil {
		return &ledger.Error{Kind: ledger.KindInvalid, Message: "the body is not a list of CloudEvents: see their fields specversion, id, source and type", Err: err}
	}
	messages := make([]inbox.Message, len(events))
	for i, e := range events {
		if messages[i], err = messageOfEvent(e); err != nil {
			return err
		}
	}
	return a.receiveMany(c, actor, inbox.ByCloudEvents, messages)
}

// withEvents is a request that has its body again, for the reader of CloudEvents. That reader is lenient, so that what it might guess at in a document is
// refused before.
func withEvents(request *http.Request, body []byte) (*http.Request, error) {
	if strings.HasPrefix(mediaType(request.Header), "application/cloudevents") {
		document, err := strictjson.Read("body", body)
		if err != nil {
			return nil, err
		}
		if len(document.Twice) > 0 {
			return nil, ledger.Refuse(ledger.KindInvalid, "the body gives a field twice").At(document.Twice[0], "is given twice")
		}
	}
	request = request.Clone(request.Context())
	request.Body = io.NopCloser(bytes.NewReader(body))
	return request, nil
}

func messageOfEvent(e event.Event) (inbox.Message, error) {
	refusal := ledger.Refuse(ledger.KindInvalid, "the CloudEvent has attributes that cannot be read")
	var faults event.ValidationError
	if errors.As(e.Validate(), &faults) {
		for _, name := range slices.Sorted(maps.Keys(faults)) {
			refusal.At(name, "%s", faults[name])
		}
	}
	if media, _, _ := mime.ParseMediaType(e.DataContentType()); media != "" && media != event.ApplicationJSON && media != event.TextJSON && !strings.HasSuffix(media, "+json") {
		refusal.At("datacontenttype", "is %s: the data must be JSON", media)
	}
	if len(e.Data()) == 0 {
		refusal.At("data", "is missing: give an object, which may be empty")
	}
	return inbox.Message{Source: e.Source(), ID: e.ID(), Type: e.Type(), Data: e.Data()}, refusal.OrNil()
}
