// Package yardstick measures what the disk and the database allow by themselves: a durable commit of one row, COPY of a book's rows into
// the tables of the journal, and COPY of them to nowhere. The bench holds posting and verifying against it.
package yardstick
