-- +goose Up
-- +goose StatementBegin
-- Books, their accounts and periods, who may do what in them. The book comes first in every key: it is what spreads over machines.

create table books (
    id                 bigint      not null,
    code               text        not null,
    name               text        not null,
    currency           char(3)     not null,
    key_retention_days integer     not null,
    created_at         timestamptz not null,
    constraint books_pkey primary key (id),
    constraint books_code_form check (code ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    constraint books_key_retention check (key_retention_days between 1 and 3650)
);
create unique index books_code on books (code);

create table user_roles (
    book_id    bigint      not null,
    user_id    bigint      not null,
    role       text        not null,
    granted_at timestamptz not null,
    constraint user_roles_pkey primary key (book_id, user_id, role),
    constraint user_roles_book foreign key (book_id) references books (id),
    constraint user_roles_user foreign key (user_id) references users (id),
    constraint user_roles_role check (role in ('viewer', 'preparer', 'approver', 'auditor', 'admin'))
);
create index user_roles_by_user on user_roles (user_id);

-- A token acts as its user in one book, and can be narrowed to some of the user's rights.
create table tokens (
    book_id      bigint      not null,
    id           bigint      not null,
    user_id      bigint      not null,
    name         text        not null,
    token_hash   bytea       not null,
    rights       text[],
    created_at   timestamptz not null,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    constraint tokens_pkey primary key (book_id, id),
    constraint tokens_book foreign key (book_id) references books (id),
    constraint tokens_user foreign key (user_id) references users (id),
    constraint tokens_hash_length check (octet_length(token_hash) = 32)
);
create unique index tokens_by_hash on tokens (book_id, token_hash);

-- The last number given out per book and kind of record (approval, statement, break …).
create table numbers (
    book_id bigint not null,
    kind    text   not null,
    last    bigint not null,
    constraint numbers_pkey primary key (book_id, kind),
    constraint numbers_book foreign key (book_id) references books (id)
);

create table accounts (
    book_id        bigint      not null,
    id             bigint      not null,
    code           text        not null,
    name           text        not null,
    type           text        not null,
    currency       char(3)     not null,
    no_negative    boolean     not null,
    reconcile_from date,
    created_at     timestamptz not null,
    closed_at      timestamptz,
    constraint accounts_pkey primary key (book_id, id),
    constraint accounts_code unique (book_id, code),
    constraint accounts_currency unique (book_id, id, currency),
    constraint accounts_book foreign key (book_id) references books (id),
    constraint accounts_code_form check (code ~ '^[A-Za-z0-9][A-Za-z0-9:._/-]{0,99}$'),
    constraint accounts_name_length check (length(name) between 1 and 200),
    constraint accounts_type check (type in ('asset', 'liability', 'equity', 'income', 'expense'))
);

create table periods (
    book_id    bigint      not null,
    period     text        not null,
    closed_at  timestamptz not null,
    closed_by  bigint      not null,
    constraint periods_pkey primary key (book_id, period),
    constraint periods_book foreign key (book_id) references books (id),
    constraint periods_user foreign key (closed_by) references users (id),
    constraint periods_form check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$')
);
comment on table periods is 'The periods that are closed now. A period without a row is open.';

create function refuse_account_change() returns trigger language plpgsql as $$
begin
    if (new.book_id, new.id, new.code, new.type, new.currency) is distinct from (old.book_id, old.id, old.code, old.type, old.currency) then
        raise exception 'the code, type and currency of an account never change' using errcode = 'DB010';
    end if;
    return new;
end $$;
create trigger accounts_unchanged before update on accounts for each row execute function refuse_account_change();
alter table accounts enable always trigger accounts_unchanged;
-- +goose StatementEnd
