// Package broker takes messages from NATS JetStream. What is published on daybook.<book>.inbox is kept by the broker until it is recorded here: a
// message is acknowledged only after that, and comes again otherwise, for ever.
//
// The stream is made where there is none: in files, kept without limit until whoever runs the cluster sets limits. A stream that is there is taken
// as it is, if it has the subjects. Each book has a durable consumer of its own, daybook-<book>, which all processes share: what waits in one book
// keeps no other waiting, and what is published for a book that is not there stays in the stream and is taken once the book is made.
package broker
