-- +goose Up
-- +goose StatementBegin
-- A session that was begun before a login was disabled is over, also when the login is enabled again within the hour.

alter table users add column enabled_at timestamptz;
comment on column users.enabled_at is 'When the login was enabled again, last; NULL when it never was disabled.';

update app_rights set may = replace(may, 'disabled_at', 'disabled_at, enabled_at') where table_name = 'users';
-- +goose StatementEnd
