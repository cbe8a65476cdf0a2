package gallery

import (
	"time"

	"daybook/templates"
	"daybook/templates/ui"
)

func jobScreens() []Screen {
	with := func(change func(*templates.Job)) templates.Job {
		v := job()
		change(&v)
		return v
	}
	return []Screen{
		{"job", "A long statement that is being stored", groupBank, templates.JobPage(job())},
		{"job-waiting", "A long statement that waits for its turn", groupBank, templates.JobPage(with(func(v *templates.Job) {
			v.Progress, v.StartedAt = templates.JobProgress{State: templates.JobWaiting, Total: 81240}, time.Time{}
		}))},
		{"job-cancelling", "A long statement that is being called off", groupBank, templates.JobPage(with(func(v *templates.Job) {
			v.Theme, v.Progress.Cancelled, v.Progress.Phase = "dark", true, "matching"
		}))},
		{"job-done", "A long statement that is stored", groupBank, templates.JobPage(with(func(v *templates.Job) {
			v.Progress.State, v.Result = templates.JobDone, v.Book.ReconciliationURL(7)
		}))},
		{"job-failed", "A long statement that was refused", groupBank, templates.JobPage(with(func(v *templates.Job) {
			v.Progress.State, v.Problem, v.Draft = templates.JobFailed, "Account 1010 is closed and takes no statements.", v.Book.DraftURL(12)
		}))},
		{"job-cancelled", "A long statement that was called off", groupBank, templates.JobPage(with(func(v *templates.Job) {
			v.Progress.State = templates.JobCancelled
		}))},
	}
}

func job() templates.Job {
	s := shell("Upload statement", templates.PageUpload)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")})
	return templates.Job{
		Shell: s, ID: 3, Account: account("1010", "Bank, operating"), FileName: "nordbank_1010_2026.csv", AskedBy: "Ana Ruiz", AskedAt: at("2026-04-01T09:40:00Z"),
		StartedAt: at("2026-04-01T09:41:00Z"), MayCancel: true,
		Progress: templates.JobProgress{State: templates.JobRunning, Phase: "storing", Done: 42000, Total: 81240, Attempts: 1},
	}
}
