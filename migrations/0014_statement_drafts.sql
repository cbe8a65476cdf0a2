-- +goose Up
-- +goose StatementBegin
-- A file waits here while its uploader settles how it is read; it is no statement before that is confirmed. Drafts go when they are
-- confirmed or discarded, and a day after they came. draft_id tells who confirms twice what the first time gave.

create table statement_drafts (
    book_id         bigint      not null,
    id              bigint      not null,
    user_id         bigint      not null,
    account_id      bigint      not null,
    file_name       text        not null,
    file_hash       bytea       not null,
    file            bytea       not null,
    hints           jsonb       not null,
    period_from     date,
    period_to       date,
    profile_id      bigint,
    profile_version integer,
    version         integer     not null,
    created_at      timestamptz not null,
    constraint statement_drafts_pkey primary key (book_id, id),
    constraint statement_drafts_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint statement_drafts_user foreign key (user_id) references users (id),
    constraint statement_drafts_profile foreign key (book_id, profile_id, profile_version) references statement_profiles (book_id, id, version),
    constraint statement_drafts_profile_whole check ((profile_id is null) = (profile_version is null)),
    constraint statement_drafts_version check (version >= 1),
    constraint statement_drafts_hash_length check (octet_length(file_hash) = 32)
);
create index statement_drafts_by_user on statement_drafts (book_id, user_id, id);
create index statement_drafts_by_age on statement_drafts (book_id, created_at);
alter table statement_drafts alter column file set storage external; -- a short life is not worth compressing for

insert into app_rights (table_name, may) values
    ('statement_drafts', 'update (account_id, hints, period_from, period_to, profile_id, profile_version, version), delete');

alter table statements add column draft_id bigint;
create unique index statements_by_draft on statements (book_id, draft_id) where draft_id is not null;
-- +goose StatementEnd
