-- +goose Up
-- +goose StatementBegin
-- People are seen and tokens used; a password that an administrator made is known to them too, and is changed at the first sign-in.

alter table users
    add column last_seen_at timestamptz,
    add column password_must_change boolean not null default false,
    add column password_given_by bigint,
    add column password_given_at timestamptz,
    add constraint users_password_giver foreign key (password_given_by) references users (id),
    add constraint users_password_given check ((password_given_by is null) = (password_given_at is null)),
    add constraint users_password_to_change check (not password_must_change or password_given_at is not null);
alter table tokens add column last_used_at timestamptz;

update app_rights
   set may = replace(may, 'disabled_at', 'disabled_at, last_seen_at, password_must_change, password_given_by, password_given_at')
 where table_name = 'users';
update app_rights set may = replace(may, 'revoked_at', 'revoked_at, last_used_at') where table_name = 'tokens';

-- The history of a person's access, without reading the log of the book.
create index audit_log_of_access on audit_log (book_id, object, at, id) where action like 'role%' or action like 'user.%';
-- +goose StatementEnd
