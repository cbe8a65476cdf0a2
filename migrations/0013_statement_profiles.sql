-- +goose Up
-- +goose StatementBegin
-- How the files of a bank are read for an account is told once: a profile. A change is a new version, so that a stored statement can always
-- say by which settings it was read.

create table statement_profiles (
    book_id            bigint      not null,
    id                 bigint      not null,
    version            integer     not null,
    account_id         bigint      not null,
    name               text        not null,
    header_fingerprint text        not null,
    hints              jsonb       not null,
    created_by         bigint      not null,
    created_at         timestamptz not null,
    constraint statement_profiles_pkey primary key (book_id, id, version),
    constraint statement_profiles_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint statement_profiles_created_by foreign key (created_by) references users (id),
    constraint statement_profiles_version check (version >= 1),
    constraint statement_profiles_name_length check (char_length(name) between 1 and 100)
);
create unique index statement_profiles_name on statement_profiles (book_id, account_id, lower(name), version);
create trigger statement_profiles_no_change before update or delete on statement_profiles for each row execute function refuse_change('a profile');
create trigger statement_profiles_no_truncate before truncate on statement_profiles execute function refuse_change('a profile');
alter table statement_profiles enable always trigger statement_profiles_no_change;
alter table statement_profiles enable always trigger statement_profiles_no_truncate;

alter table statements
    add column profile_id      bigint,
    add column profile_version integer,
    add column account_printed text not null default '',
    add constraint statements_profile foreign key (book_id, profile_id, profile_version) references statement_profiles (book_id, id, version),
    add constraint statements_profile_whole check ((profile_id is null) = (profile_version is null));
-- +goose StatementEnd
