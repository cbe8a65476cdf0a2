package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// jobStarted is the answer to what is done by a job.
type jobStarted struct {
	JobID     int64 `json:"job_id"`
	Duplicate bool  `json:"duplicate"`
}

type job struct {
	ID        int64    `json:"id"`
	Kind      string   `json:"kind"`
	State     string   `json:"state"`
	Phase     *string  `json:"phase"`
	Done      int64    `json:"done"`
	Total     int64    `json:"total"`
	Attempts  int      `json:"attempts"`
	Account   string   `json:"account"`
	FileName  string   `json:"file_name"`
	CreatedAt string   `json:"created_at"`
	StartedAt *string  `json:"started_at"`
	EndedAt   *string  `json:"ended_at"`
	Result    *upload  `json:"result"`
	Problem   *Problem `json:"problem"`
}

func (a *api) showJob(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "job")
	if err != nil {
		return err
	}
	found, err := a.Store.Job(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, jobOf(found))
}

func (a *api) cancelJob(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "job")
	if err != nil {
		return err
	}
	found, err := a.Store.CancelJob(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, jobOf(found))
}

func jobOf(found store.Job) job {
	shown := job{
		ID: found.ID, Kind: "statement", State: string(found.State), Phase: textOrNull(string(found.Phase)), Done: found.Done, Total: found.Total,
		Attempts: found.Attempts, Account: found.Account, FileName: found.FileName, CreatedAt: *instantOrNull(found.CreatedAt),
		StartedAt: instantOrNull(found.StartedAt), EndedAt: instantOrNull(found.EndedAt),
	}
	if found.Result != nil {
		result := uploadOf(*found.Result, false)
		shown.Result = &result
	}
	if found.Problem != nil {
		problem := ProblemOf(found.Problem, "")
		if problem.Kind == ledger.KindInternal {
			problem.Detail = sentence(found.Problem.Message) // it names the job
		}
		shown.Problem = &problem
	}
	return shown
}
