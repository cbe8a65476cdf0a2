// Package reconbench measures the matching: how right it is, against worlds whose truth is known, and how fast, beside a plain program.
//
// # Worlds
//
// Make draws deals one by one, each as both sides of a bank account would record it, and has trouble befall a share of them: slips of
// the pen in references, lines without one, fees, wrong amounts, batches and splits, duplicates, rows that nothing tells apart, lines
// that cross the cut-off or are missing on one side. The truth is kept as facts: these lines belong together, or are a difference of
// this type. Nothing here knows how the matching works, and the matching knows nothing of this; what both know is DESIGN: how
// references are compared, that lines of one amount may lie a window apart, and what the types of differences are called.
//
// # What the data can decide
//
// No method finds what the data do not tell, so recall is counted over the pairs that they decide, and over all as recall_all. Decide
// looks at the finished lines, not at how they were made. What speaks for two lines is: the same reference; or else the same amount within
// the window, and then whether one has no reference or both have and are one slip apart, and how many words their texts share. Two
// different references speak against it. How near their days lie within the window says nothing: the window is what the account takes for
// usual. A pair is undecidable
//
//   - when nothing speaks for it: neither the reference nor the amount joins the lines, as where a line without a reference has a
//     wrong amount; then leaving both unmatched is supported as well;
//   - or when another line could stand in the place of one of them and has no less to say for itself in any respect. Lines that the
//     reference joins to another are no such lines, nor are twins: lines that are the same in everything, of which any may be taken. What
//     speaks for one line in one respect and for the other in another counts as decidable.
//
// A batch or a split that is known by reference, by the list in its text or by a reference that its lines share is decidable. One that only adds
// up is so when no other set does that is as small, of one day where it is, and shares as many words with the line: so it may be decidable
// though a set that adds up by chance would look the same, and a careful matching leaves it alone.
//
// A posting without a bank line is timing or missing by the account's rules alone, whether it is late or will never come. A break is
// not judged where it touches a line of an undecidable pair.
package reconbench
