// Package migrations holds the schema as numbered SQL files, applied forward only. A file that has been shared is
// never edited: what changes comes in a new one.
package migrations

import "embed"

// FS holds NNNN_name.sql, the first of which begins with 0001.
//
//go:embed *.sql
var FS embed.FS
