-- +goose Up
-- +goose StatementBegin
-- People, their sessions and sign-in attempts, and the role that the app runs as. None of these refers to a table of a book.

create table app_role (
    only_row boolean not null default true,
    name     text    not null,
    password text    not null,
    constraint app_role_pkey primary key (only_row),
    constraint app_role_one_row check (only_row)
);
comment on table app_role is 'The login that servers use, so that several agree on it. Only the owner reads this table.';

create table users (
    id            bigint      not null,
    email         text        not null,
    name          text        not null,
    password_hash text        not null,
    created_at    timestamptz not null,
    disabled_at   timestamptz,
    constraint users_pkey primary key (id),
    constraint users_email_lower check (email = lower(email)),
    constraint users_email_length check (length(email) between 3 and 254),
    constraint users_name_length check (length(name) between 1 and 200)
);
create unique index users_email on users (email);

create table sessions (
    token  text        not null,
    data   bytea       not null,
    expiry timestamptz not null,
    constraint sessions_pkey primary key (token)
);
create index sessions_expiry on sessions (expiry);

-- An attempt is written before the password is looked at, so that many at once are counted too.
create table sign_in_attempts (
    id        uuid        not null,
    email     text        not null,
    address   text        not null,
    at        timestamptz not null,
    succeeded boolean     not null,
    constraint sign_in_attempts_pkey primary key (id)
);
create index sign_in_attempts_by_email on sign_in_attempts (email, at);
create index sign_in_attempts_by_address on sign_in_attempts (address, at);
-- +goose StatementEnd
