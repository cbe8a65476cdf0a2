// Package postgres is how Daybook comes to its database: Open connects, Prepare migrates and gives the app a role with
// few rights, and StartCluster runs a private Postgres for those who have none.
//
// The private Postgres is run by a supervisor, which is the program itself, re-executed. The supervisor holds the lock
// of the data directory and a pipe from its parent: when the pipe ends, however the parent died, it stops Postgres.
// It runs on Linux and other Unix systems; what dies without any warning (the supervisor killed with SIGKILL) is
// caught by the kernel on Linux only.
package postgres
