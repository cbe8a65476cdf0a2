package jobs

import (
	"time"

	"github.com/riverqueue/river/rivertype"
)

// soon tries again after one second, two, four, up to a minute: somebody waits.
type soon struct{ now func() time.Time }

const longestPause = time.Minute

// NextRetry says when a task is tried again.
func (s soon) NextRetry(job *rivertype.JobRow) time.Time {
	pause := longestPause
	if failed := len(job.Errors); failed < 6 {
		pause = time.Second << failed
	}
	return s.now().Add(pause)
}

// never is the schedule of what is not done here.
type never struct{}

// Next is far away.
func (never) Next(current time.Time) time.Time { return current.AddDate(100, 0, 0) }
