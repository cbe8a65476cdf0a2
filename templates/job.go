package templates

import (
	"strconv"
	"time"

	"daybook/templates/ui"
)

// Job is long work as its page shows it: a statement that is being stored.
type Job struct {
	Shell
	ID        int64
	Account   ui.Account
	FileName  string
	AskedBy   string
	AskedAt   time.Time
	StartedAt time.Time // zero before it began
	EndedAt   time.Time // zero before it ended
	Progress  JobProgress
	// Result is where what came of it is; Draft is where the file waits again. Empty where there is none.
	Result, Draft string
	Problem       string
	MayCancel     bool
}

// JobProgress is how far a job is: what changes while it is looked at.
type JobProgress struct {
	State       string // waiting, running, done, failed or cancelled
	Phase       string
	Done, Total int64
	Attempts    int
	Cancelled   bool
}

// The states of a job.
const (
	JobWaiting   = "waiting"
	JobRunning   = "running"
	JobDone      = "done"
	JobFailed    = "failed"
	JobCancelled = "cancelled"
)

// JobURL is the address of a job, or of what is done to it.
func (b Book) JobURL(id int64, action ...string) string {
	return b.URL(append([]string{"jobs", strconv.FormatInt(id, 10)}, action...)...)
}

func (p JobProgress) ended() bool {
	return p.State == JobDone || p.State == JobFailed || p.State == JobCancelled
}

// phases are the steps of a statement that is stored, in their order.
var phases = []struct{ name, text string }{
	{"reading", "Read the file"}, {"storing", "Store its lines"}, {"matching", "Match them"}, {"keeping", "Keep what was found"},
}

func (p JobProgress) stepper() ui.Stepper {
	s := ui.Stepper{Label: "Steps", Current: -1}
	for i, phase := range phases {
		s.Steps = append(s.Steps, phase.text)
		if p.State == JobRunning && phase.name == p.Phase {
			s.Current = i
		}
	}
	if p.State == JobDone {
		s.Current = len(phases)
	}
	return s
}

// words say what goes on.
func (p JobProgress) words(f ui.Format) string {
	switch {
	case p.Cancelled && !p.ended():
		return "It was called off, and is taken back."
	case p.State == JobWaiting && p.Attempts > 0:
		return "It begins anew: what was done before did not come to its end, and nothing of it was stored."
	case p.State == JobWaiting:
		return "It waits for its turn. " + f.Plural(int(p.Total), "line", "lines") + " are to be stored."
	case p.State == JobRunning && p.Total > 0 && p.Done > 0:
		return f.Number(int(p.Done)) + " of " + f.Number(int(p.Total)) + "."
	case p.State == JobRunning:
		return "It is being stored: all of it, or nothing."
	}
	return ""
}

// share is how much of the phase is done, in percent; -1 where it is not counted.
func (p JobProgress) share() int64 {
	if p.State != JobRunning || p.Total <= 0 || p.Done <= 0 {
		return -1
	}
	return min(p.Done*100/p.Total, 100)
}

func (v Job) title() string {
	switch v.Progress.State {
	case JobDone:
		return "The statement is stored"
	case JobFailed:
		return "The statement was not stored"
	case JobCancelled:
		return "The upload was called off"
	}
	return "The statement is being stored"
}

func (v Job) lead() string {
	return v.FileName + ", for " + v.Account.Code + " " + v.Account.Name + ". Asked for " + v.Format.Minute(v.AskedAt) + " by " + v.AskedBy
}

// refreshSeconds is how often the page reloads itself where no script follows the job.
func (v Job) refreshSeconds() int {
	if v.Progress.ended() {
		return 0
	}
	return 3
}

// back leads to the file where it still waits, else to where it can be sent again.
func (v Job) back() ui.Link {
	if v.Draft != "" {
		return ui.Link{Text: "The file waits as before", Href: v.Draft}
	}
	return ui.Link{Text: "Upload the file again", Href: v.Book.URL("statements", "new")}
}

// reloading is the shell of a page that has no script to follow the job.
func (v Job) reloading() Shell {
	s := v.Shell
	s.RefreshSeconds = v.refreshSeconds()
	return s
}
