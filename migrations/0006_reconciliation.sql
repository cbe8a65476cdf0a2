-- +goose Up
-- +goose StatementBegin
-- Statements with their lines, reconciliations, matches and breaks. A break belongs to the account, not to one statement: it keeps its
-- identity while statements come and go. A line and a posting are in at most one live match and at most one live break.

create table statements (
    book_id        bigint      not null,
    id             bigint      not null,
    account_id     bigint      not null,
    file_name      text        not null,
    file_hash      bytea       not null,
    file           bytea       not null,
    format         text        not null,
    currency       char(3)     not null,
    hints          jsonb       not null,
    settings       jsonb       not null,
    period_from    date        not null,
    period_to      date        not null,
    period_stated  boolean     not null,
    opening_minor  bigint,
    closing_minor  bigint,
    rows_new       integer     not null,
    rows_known     integer     not null,
    rows_duplicate integer     not null,
    rows_rejected  integer     not null,
    rows_skipped   integer     not null,
    uploaded_by    bigint      not null,
    uploaded_at    timestamptz not null,
    undone_at      timestamptz,
    constraint statements_pkey primary key (book_id, id),
    constraint statements_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint statements_uploaded_by foreign key (uploaded_by) references users (id),
    constraint statements_period check (period_from <= period_to),
    constraint statements_hash_length check (octet_length(file_hash) = 32)
);
create unique index statements_one_of_a_file on statements (book_id, account_id, file_hash) where undone_at is null;

-- The occurrence counts equal lines: two equal coffees are two lines, and an overlapping file adds neither again.
create table statement_lines (
    book_id             bigint   not null,
    id                  bigint   not null,
    account_id          bigint   not null,
    statement_id        bigint   not null,
    row                 integer  not null,
    booked_on           date     not null,
    amount_minor        bigint   not null,
    currency            char(3)  not null,
    reference           text     not null,
    description         text     not null,
    bank_id             text     not null,
    balance_minor       bigint,
    raw                 text     not null,
    fingerprint_version integer  not null,
    fingerprint         bytea    not null,
    occurrence          integer  not null,
    undone              boolean  not null,
    constraint statement_lines_pkey primary key (book_id, id),
    constraint statement_lines_statement foreign key (book_id, statement_id) references statements (book_id, id),
    constraint statement_lines_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint statement_lines_occurrence check (occurrence >= 1)
);
create unique index statement_lines_once on statement_lines (book_id, account_id, fingerprint_version, fingerprint, occurrence) where not undone;
create index statement_lines_by_statement on statement_lines (book_id, statement_id, row);
create index statement_lines_by_account on statement_lines (book_id, account_id, booked_on);

-- Every row of a file that did not become a line, with the reason: rejected, known, duplicate or skipped.
create table statement_rows (
    book_id      bigint  not null,
    statement_id bigint  not null,
    row          integer not null,
    class        text    not null,
    reason       text    not null,
    detail       text    not null,
    raw          text    not null,
    constraint statement_rows_pkey primary key (book_id, statement_id, row),
    constraint statement_rows_statement foreign key (book_id, statement_id) references statements (book_id, id),
    constraint statement_rows_class check (class in ('known', 'duplicate', 'rejected', 'skipped'))
);

create table reconciliations (
    book_id       bigint      not null,
    id            bigint      not null,
    account_id    bigint      not null,
    statement_id  bigint      not null,
    status        text        not null,
    version       integer     not null,
    rules         jsonb       not null,
    scope_from    date        not null,
    scope_to      date        not null,
    period_stated boolean     not null,
    ledger_seq    bigint      not null,
    ledger_minor  bigint      not null,
    statement_minor bigint    not null,
    balance_source text       not null,
    created_at    timestamptz not null,
    constraint reconciliations_pkey primary key (book_id, id),
    constraint reconciliations_statement foreign key (book_id, statement_id) references statements (book_id, id),
    constraint reconciliations_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint reconciliations_balance_source check (balance_source in ('stated', 'previous', 'assumed')),
    constraint reconciliations_status check (status in ('open', 'submitted', 'signed_off'))
);
create unique index reconciliations_by_statement on reconciliations (book_id, statement_id, version);
create index reconciliations_by_account on reconciliations (book_id, account_id, id);

create table matches (
    book_id           bigint      not null,
    id                bigint      not null,
    account_id        bigint      not null,
    reconciliation_id bigint      not null,
    kind              text        not null,
    rule              text        not null,
    score             integer     not null,
    why               text        not null,
    live              boolean     not null,
    made_by           bigint,
    made_at           timestamptz not null,
    constraint matches_pkey primary key (book_id, id),
    constraint matches_reconciliation foreign key (book_id, reconciliation_id) references reconciliations (book_id, id),
    constraint matches_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint matches_made_by foreign key (made_by) references users (id),
    constraint matches_kind check (kind in ('reference', 'fuzzy', 'batch', 'split', 'reversed_pair', 'manual'))
);
create index matches_by_reconciliation on matches (book_id, reconciliation_id, id);

create table match_lines (
    book_id  bigint  not null,
    match_id bigint  not null,
    line_id  bigint  not null,
    live     boolean not null,
    constraint match_lines_pkey primary key (book_id, match_id, line_id),
    constraint match_lines_match foreign key (book_id, match_id) references matches (book_id, id),
    constraint match_lines_line foreign key (book_id, line_id) references statement_lines (book_id, id)
);
create unique index match_lines_one_live on match_lines (book_id, line_id) where live;

create table match_postings (
    book_id  bigint  not null,
    match_id bigint  not null,
    seq      bigint  not null,
    line     integer not null,
    live     boolean not null,
    constraint match_postings_pkey primary key (book_id, match_id, seq, line),
    constraint match_postings_match foreign key (book_id, match_id) references matches (book_id, id),
    constraint match_postings_posting foreign key (book_id, seq, line) references postings (book_id, seq, line)
);
create unique index match_postings_one_live on match_postings (book_id, seq, line) where live;

-- Status and resolution are those of the last event; live is false once a later statement superseded the break.
create table breaks (
    book_id           bigint      not null,
    id                bigint      not null,
    account_id        bigint      not null,
    type              text        not null,
    difference_minor  bigint      not null,
    currency          char(3)     not null,
    why               text        not null,
    first_seen_on     date        not null,
    reconciliation_id bigint      not null,
    status            text        not null,
    resolution        text,
    live              boolean     not null,
    superseded_by     bigint,
    created_at        timestamptz not null,
    constraint breaks_pkey primary key (book_id, id),
    constraint breaks_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint breaks_reconciliation foreign key (book_id, reconciliation_id) references reconciliations (book_id, id),
    constraint breaks_superseded_by foreign key (book_id, superseded_by) references reconciliations (book_id, id),
    constraint breaks_type check (type in ('missing_in_bank', 'missing_in_ledger', 'amount_mismatch', 'duplicate_in_bank', 'duplicate_in_ledger',
        'timing', 'currency_mismatch', 'ambiguous', 'balance')),
    constraint breaks_status check (status in ('open', 'in_review', 'waiting_for_approval', 'resolved')),
    constraint breaks_resolution check ((status = 'resolved') = (resolution is not null)),
    constraint breaks_resolution_kind check (resolution in ('matched', 'adjusted', 'reversed', 'carried_forward', 'written_off', 'external',
        'not_a_break', 'superseded')),
    constraint breaks_superseded check (live = (resolution is distinct from 'superseded') and live = (superseded_by is null)),
    constraint breaks_not_a_break check (resolution is distinct from 'not_a_break' or difference_minor = 0)
);
create index breaks_by_account on breaks (book_id, account_id, id);

create table break_lines (
    book_id  bigint  not null,
    break_id bigint  not null,
    line_id  bigint  not null,
    live     boolean not null,
    constraint break_lines_pkey primary key (book_id, break_id, line_id),
    constraint break_lines_break foreign key (book_id, break_id) references breaks (book_id, id),
    constraint break_lines_line foreign key (book_id, line_id) references statement_lines (book_id, id)
);
create unique index break_lines_one_live on break_lines (book_id, line_id) where live;

create table break_postings (
    book_id  bigint  not null,
    break_id bigint  not null,
    seq      bigint  not null,
    line     integer not null,
    live     boolean not null,
    constraint break_postings_pkey primary key (book_id, break_id, seq, line),
    constraint break_postings_break foreign key (book_id, break_id) references breaks (book_id, id),
    constraint break_postings_posting foreign key (book_id, seq, line) references postings (book_id, seq, line)
);
create unique index break_postings_one_live on break_postings (book_id, seq, line) where live;

-- Which breaks a reconciliation holds: those it found and those it carried.
create table reconciliation_breaks (
    book_id           bigint not null,
    reconciliation_id bigint not null,
    break_id          bigint not null,
    constraint reconciliation_breaks_pkey primary key (book_id, reconciliation_id, break_id),
    constraint reconciliation_breaks_reconciliation foreign key (book_id, reconciliation_id) references reconciliations (book_id, id),
    constraint reconciliation_breaks_break foreign key (book_id, break_id) references breaks (book_id, id)
);
create index reconciliation_breaks_by_break on reconciliation_breaks (book_id, break_id, reconciliation_id);

create table break_events (
    book_id     bigint      not null,
    break_id    bigint      not null,
    n           integer     not null,
    event       text        not null,
    resolution  text,
    reason_code text        not null,
    note        text        not null,
    user_id     bigint,
    at          timestamptz not null,
    constraint break_events_pkey primary key (book_id, break_id, n),
    constraint break_events_break foreign key (book_id, break_id) references breaks (book_id, id),
    constraint break_events_user foreign key (user_id) references users (id),
    constraint break_events_event check (event in ('found', 'carried', 'resolved', 'reopened', 'assigned', 'commented', 'superseded', 'returned'))
);
create trigger break_events_no_change before update or delete on break_events for each row execute function refuse_change('the history of a break');
create trigger break_events_no_truncate before truncate on break_events execute function refuse_change('the history of a break');
alter table break_events enable always trigger break_events_no_change;
alter table break_events enable always trigger break_events_no_truncate;
-- +goose StatementEnd
