package broker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// duplicatesWindow is the shortest there is: here a message is known for ever, and those that come again are counted, which the broker would hide.
const duplicatesWindow = 100 * time.Millisecond

// stream finds the stream, or makes it. One that is there is not changed.
func (s *session) stream(ctx context.Context) (jetstream.Stream, error) {
	stream, err := s.js.Stream(ctx, s.Stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = s.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: s.Stream, Subjects: []string{s.subject("*")}, Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy, Duplicates: duplicatesWindow,
		})
	}
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process was quicker
		stream, err = s.js.Stream(ctx, s.Stream)
	}
	if err != nil {
		return nil, fmt.Errorf("find or make the stream %s: %w", s.Stream, err)
	}
	config := stream.CachedInfo().Config
	if !slices.ContainsFunc(config.Subjects, func(subjects string) bool { return covers(subjects, s.subject("*")) }) {
		return nil, fmt.Errorf("the stream %s has the subjects %s: add %s to them", s.Stream, strings.Join(config.Subjects, " "), s.subject("*"))
	}
	if config.Retention == jetstream.InterestPolicy {
		return nil, fmt.Errorf("the stream %s drops what nobody has asked for yet (retention by interest): give it retention by limits", s.Stream)
	}
	return stream, nil
}

func (s *session) subject(book string) string { return s.Prefix + "." + book + ".inbox" }

// consumer is the durable consumer of a book, which all processes share. What failed comes again without end.
func (s *session) consumer(ctx context.Context, book string) (jetstream.Consumer, error) {
	consumer, err := s.js.CreateOrUpdateConsumer(ctx, s.Stream, jetstream.ConsumerConfig{
		Durable: s.Durable + "-" + book, FilterSubject: s.subject(book), DeliverPolicy: jetstream.DeliverAllPolicy,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: s.AckWait, MaxAckPending: inWorkOfAll, MaxDeliver: -1,
	})
	if err != nil {
		return nil, fmt.Errorf("make the consumer of book %s: %w", book, err)
	}
	return consumer, nil
}

// tellStrangers tells once of each subject whose book is not there.
func (s *session) tellStrangers(ctx context.Context, stream jetstream.Stream, known map[string]bool) error {
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(s.subject("*")))
	if err != nil {
		return fmt.Errorf("look what is in the stream %s: %w", s.Stream, err)
	}
	for subject := range info.State.Subjects {
		book := strings.TrimSuffix(strings.TrimPrefix(subject, s.Prefix+"."), ".inbox")
		if !known[book] {
			s.log.trouble("stranger "+book, "messages wait at the broker for a book that is not there: make the book, or publish them for another",
				errors.New("no book for the subject "+subject))
		}
	}
	return nil
}

// covers reports whether a subject with wildcards takes in all of another.
func covers(wide, narrow string) bool {
	w, n := strings.Split(wide, "."), strings.Split(narrow, ".")
	for i, token := range w {
		switch {
		case i >= len(n):
			return false
		case token == ">":
			return true
		case token != "*" && token != n[i]:
			return false
		}
	}
	return len(w) == len(n)
}
