-- +goose Up
-- +goose StatementBegin
-- An account can be renamed, closed, opened again, and kept from going below zero. Its code, type and currency still never change.

update app_rights set may = 'update (name, no_negative, reconcile_from, closed_at)' where table_name = 'accounts';
-- +goose StatementEnd
