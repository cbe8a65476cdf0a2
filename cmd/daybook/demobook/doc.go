// Package demobook tells the story that the demo shows: the book of Kiln & Co, an online shop for ceramics, from January to
// March 2026. March is data, the same that the pictures of the product show. January and February are generated in its style
// by rules and tables, with amounts so chosen that the balances at the end of February are those from which March starts.
// The package is pure: it reads no clock and no file, and gives the same story every time.
package demobook
