-- +goose Up
-- +goose StatementBegin
-- Auditors of a book also see what concerns its people and no book, such as sign-ins: these are found by the person.

create index audit_log_without_book on audit_log (object, at, id) where book_id is null;
-- +goose StatementEnd
