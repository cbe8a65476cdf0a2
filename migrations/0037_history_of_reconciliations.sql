-- +goose Up
-- +goose StatementBegin
-- The history of a reconciliation tells who ran its matchings, which the audit log has: found without reading all of the log.
create index audit_log_of_matchings on audit_log (book_id, object, at) where action = 'reconciliation.match';
-- +goose StatementEnd
