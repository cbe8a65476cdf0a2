package web

import (
	"context"
	"io"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/web/api"
)

// assignBreak gives a break to a person, or takes it from whoever has it.
func (s *server) assignBreak(c echo.Context, actor store.Actor) error {
	return s.workOnBreak(c, actor, breakWork{
		may: needResolve,
		act: func(ctx context.Context, id int64, f *form) (told, error) {
			version, _ := seenVersion(f)
			after, _, err := s.Store.AssignBreak(ctx, actor, f.key(), id, f.text("assignee"), "", version)
			switch {
			case err != nil:
				return told{}, err
			case after.Assignee == "":
				return told{text: "Nobody has the break now."}, nil
			case after.Assignee == actor.Email:
				return told{text: "The break is yours."}, nil
			}
			return told{text: "The break is given to " + after.AssigneeName + "."}, nil
		},
		refuse: func(view *templates.Break, f *form, refusal *ledger.Error) {
			view.Assign = templates.NoteForm{Form: f.key(), Message: messageOf(refusal), Errors: worded(refusal.Fields)}
		},
	})
}

func (s *server) commentBreak(c echo.Context, actor store.Actor) error {
	return s.workOnBreak(c, actor, breakWork{
		may: store.Actor.MayComment,
		act: func(ctx context.Context, id int64, f *form) (told, error) {
			_, _, err := s.Store.CommentBreak(ctx, actor, f.key(), id, f.text("comment"))
			return told{text: "The comment is added."}, err
		},
		refuse: func(view *templates.Break, f *form, refusal *ledger.Error) {
			faults := worded(refusal.Fields)
			for i := range faults {
				faults[i].Field = "comment"
			}
			view.Comment = templates.NoteForm{Form: f.key(), Allowed: true, Text: f.raw("comment"), Message: messageOf(refusal), Errors: faults}
		},
	})
}

func (s *server) attachToBreak(c echo.Context, actor store.Actor) error {
	return s.workOnBreak(c, actor, breakWork{
		may: store.Actor.MayComment,
		act: func(ctx context.Context, id int64, f *form) (told, error) {
			name, content, err := s.sentFile(c, store.MaxAttachmentBytes)
			if err != nil {
				return told{}, err
			}
			attached, _, err := s.Store.AttachToBreak(ctx, actor, f.key(), id, name, content)
			return told{text: "“" + attached.Name + "” is attached."}, err
		},
		refuse: func(view *templates.Break, f *form, refusal *ledger.Error) {
			view.Attach = templates.NoteForm{Form: f.key(), Allowed: true, Message: messageOf(refusal), Errors: worded(refusal.Fields)}
		},
	})
}

// sentFile reads the one file of a form, of so many bytes at most. Error: KindInvalid.
func (s *server) sentFile(c echo.Context, limitBytes int64) (name string, content []byte, err error) {
	sent := c.Request().MultipartForm
	if sent == nil || len(sent.File["file"]) != 1 {
		return "", nil, ledger.Refuse(ledger.KindInvalid, "no file was sent").At("file", "choose a file")
	}
	done, err := s.Store.AdmitFile(c.Request().Context(), api.FileBytes(sent))
	if err != nil {
		return "", nil, err
	}
	defer done()
	header := sent.File["file"][0]
	if header.Size > limitBytes {
		return header.Filename, make([]byte, 0), ledger.Refuse(ledger.KindInvalid, "the file cannot be taken").At("file", "is larger than %d MiB", limitBytes>>20)
	}
	file, err := header.Open()
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	content, err = io.ReadAll(file)
	return header.Filename, content, err
}

// sendAttachment sends a file of a break, to be stored and not shown.
func (s *server) sendAttachment(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	number, err := api.PathNumber(c, "attachment", "attachment")
	if err != nil {
		return err
	}
	found, content, err := s.Store.Attachment(c.Request().Context(), actor, id, number)
	if err != nil {
		return err
	}
	return api.SendAttachment(c, found, content)
}
