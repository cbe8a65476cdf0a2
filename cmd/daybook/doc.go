// Command daybook is the whole product in one program: the web server, the demo and the tools of administration. Each
// command is one file with one constructor, listed in program.commands. A command reads its settings from flags or,
// where a flag is not given, from DAYBOOK_… variables; it ends with 0 when all is well, 1 when the answer is no and 2
// when it could not do what was asked, with one line on standard error that says why.
package main
