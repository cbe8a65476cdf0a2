// Package bench measures Daybook over its real HTTP server, and holds what it finds against what the machine allows: the rate of bare
// durable commits, an empty round trip, COPY of the same rows, and a writer of one GORM transaction a post behind the same server. It
// speaks HTTP only, with a client so lean that on a small machine the server is measured and not the client.
//
// What counts is drained, not accepted: an answered post is durable, and at the end the journal must hold exactly what was answered, and
// verify. Every measurement is a line of JSON; a line with "ratio" holds two of them against each other, and says whether its goal is met.
package bench
