package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// followFor is how long a page is told of a job by one answer. The browser asks again; a server that stops is not held up for longer.
const followFor = 8 * time.Second

func (s *server) showJob(c echo.Context, actor store.Actor) error {
	job, err := s.findJob(c, actor)
	if err != nil {
		return err
	}
	statements := ui.Link{Text: "Statements", Href: bookView(actor.Book).URL("statements")}
	shell, err := s.shell(c, actor, below(templates.PageUpload, statements, "Upload"))
	if err != nil {
		return err
	}
	view := templates.Job{
		Shell: shell, ID: job.ID, Account: ui.Account{Code: job.Account, Name: job.AccountName, Href: shell.Book.AccountURL(job.Account)}, FileName: job.FileName,
		AskedBy: job.AskedBy, AskedAt: job.CreatedAt, StartedAt: job.StartedAt, EndedAt: job.EndedAt, Progress: progressView(job),
		MayCancel: actor.Can(store.RightUpload),
	}
	if job.Result != nil {
		view.Result = shell.Book.ReconciliationURL(job.Result.ReconciliationID)
	}
	if job.Draft {
		view.Draft = shell.Book.DraftURL(job.DraftID)
	}
	if job.Problem != nil {
		view.Problem = messageOf(job.Problem)
		if view.Problem == "" {
			view.Problem = sentence(job.Problem.Message) + "."
		}
	}
	return render(c, http.StatusOK, templates.JobPage(view))
}

func (s *server) findJob(c echo.Context, actor store.Actor) (store.Job, error) {
	id, err := api.PathNumber(c, "id", "job")
	if err != nil {
		return store.Job{}, err
	}
	return s.Store.Job(c.Request().Context(), actor, id)
}

func progressView(job store.Job) templates.JobProgress {
	return templates.JobProgress{
		State: string(job.State), Phase: string(job.Phase), Done: job.Done, Total: job.Total, Attempts: job.Attempts, Cancelled: job.Cancelled,
	}
}

// followJob tells a page how a job goes on, as server-sent events, until it has ended or the time of the answer is over.
func (s *server) followJob(c echo.Context, actor store.Actor) error {
	job, err := s.findJob(c, actor)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, "text/event-stream")
	header.Set("X-Accel-Buffering", "no")
	c.Response().WriteHeader(http.StatusOK)
	ctx, cancel := context.WithTimeout(c.Request().Context(), followFor)
	defer cancel()
	for ctx.Err() == nil && !job.State.Ended() {
		if err := s.sendStep(c, actor, job); err != nil {
			return err
		}
		if job, err = s.Store.NextOfJob(ctx, actor, job); err != nil {
			return err
		}
	}
	if job.State.Ended() {
		return sendEvent(c, "end", string(job.State))
	}
	return sendEvent(c, "pause", "")
}

func (s *server) sendStep(c echo.Context, actor store.Actor, job store.Job) error {
	var page bytes.Buffer
	if err := templates.JobSteps(progressView(job)).Render(ui.WithFormat(c.Request().Context(), formatOf(actor)), &page); err != nil {
		return fmt.Errorf("show job %d: %w", job.ID, err)
	}
	return sendEvent(c, "step", page.String())
}

// sendEvent sends one event; the browser asks again a second after the answer ends.
func sendEvent(c echo.Context, name, data string) error {
	text := "retry: 1000\nevent: " + name + "\ndata: " + strings.ReplaceAll(data, "\n", "\ndata: ") + "\n\n"
	if _, err := c.Response().Write([]byte(text)); err != nil {
		return err
	}
	c.Response().Flush()
	return nil
}

// cancelJob calls a job off. It needs no key: doing it twice does it once.
func (s *server) cancelJob(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "job")
	if err != nil {
		return err
	}
	address := bookView(actor.Book).JobURL(id)
	comeBack(c, "Look at the job", address)
	if _, err := s.Store.CancelJob(c.Request().Context(), actor, id); err != nil {
		return err
	}
	return seeOther(c, address)
}
