package postgres

import "syscall"

// dieWithParent has the kernel send SIGQUIT when the supervisor dies without a word: Postgres takes it as an immediate
// shutdown, which ends for certain, and recovers at the next start.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGQUIT }

// capDACReadSearch lets a process enter directories whose modes keep it out (capabilities(7)).
const capDACReadSearch = 2

// passThrough lets a command that root starts for an unprivileged user enter the directories on the way to its own. Where root
// itself has no such right, as in some containers, the start is refused.
func passThrough(attr *syscall.SysProcAttr) { attr.AmbientCaps = []uintptr{capDACReadSearch} }
