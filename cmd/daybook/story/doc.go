// Package story holds no program, only tests that are stories: each starts the real Daybook as a process of its own, as
// a user does, and drives it over plain HTTP, from the command line, as an auditor in SQL, and in Chromium. They
// know no more of it than what the API promises and the screens say.
//
// DAYBOOK_STORY_SHOTS names a folder for pictures of every page; without it none are taken.
package story
