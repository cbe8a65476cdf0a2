package postgres

import "syscall"

// dieWithParent has the kernel send SIGQUIT when the supervisor dies without a word: Postgres takes it as an immediate
// shutdown, which ends for certain, and recovers at the next start.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGQUIT }
