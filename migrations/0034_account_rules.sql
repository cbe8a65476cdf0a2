-- +goose Up
-- +goose StatementBegin
-- Each account is matched by rules of its own, in versions that stay: a match says which it was made under, and which entry booked what it
-- left open. Version 1 are the default rules, which nobody set and no row has.

create table account_rules (
    book_id    bigint      not null,
    account_id bigint      not null,
    version    integer     not null,
    rules      jsonb       not null,
    note       text        not null,
    user_id    bigint      not null,
    at         timestamptz not null,
    constraint account_rules_pkey primary key (book_id, account_id, version),
    constraint account_rules_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint account_rules_user foreign key (user_id) references users (id),
    constraint account_rules_version check (version >= 2 and rules ->> 'Version' = version::text)
);
create trigger account_rules_no_change before update or delete on account_rules for each row execute function refuse_change('the rules of an account');
create trigger account_rules_no_truncate before truncate on account_rules execute function refuse_change('the rules of an account');
alter table account_rules enable always trigger account_rules_no_change;
alter table account_rules enable always trigger account_rules_no_truncate;

alter table matches
    add column rules_version integer,
    add column booked_seq bigint,
    add constraint matches_booked foreign key (book_id, booked_seq) references entries (book_id, seq);
comment on column matches.rules_version is 'The version of the rules of the account that it was made by; null for one that a person made, and for those of before versions were kept.';
comment on column matches.booked_seq is 'The entry that booked the difference which the rules allow, where there is one.';

update app_rights set may = replace(may, 'ledger_seq,', 'ledger_seq, rules,') where table_name = 'reconciliations';
-- +goose StatementEnd
