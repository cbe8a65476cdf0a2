-- +goose Up
-- +goose StatementBegin
-- The journal: entries and postings that are only ever added, the head that numbers and chains them, and what is kept beside them.
-- Order in the appender's transaction: lock the head; insert postings; insert entries, whose trigger checks that they follow the
-- head, continue the chain, are whole and balance per currency, and moves the head.

create table heads (
    book_id     bigint      not null,
    seq         bigint      not null,
    hash        bytea       not null,
    recorded_at timestamptz not null,
    constraint heads_pkey primary key (book_id),
    constraint heads_book foreign key (book_id) references books (id)
);

create table entries (
    book_id       bigint      not null,
    seq           bigint      not null,
    tx_id         text        not null,
    kind          text        not null,
    effective_on  date        not null,
    recorded_at   timestamptz not null,
    description   text        not null,
    reason        text        not null,
    recorded_by   bigint      not null,
    approval_id   bigint,
    reverses      bigint,
    part          integer     not null,
    replaces      bigint,
    posting_count integer     not null,
    metadata      jsonb       not null,
    prev_hash     bytea       not null,
    hash          bytea       not null,
    constraint entries_pkey primary key (book_id, seq),
    constraint entries_tx_id unique (book_id, tx_id),
    constraint entries_reverses_once unique (book_id, reverses, part),
    constraint entries_replaces_once unique (book_id, replaces),
    constraint entries_book foreign key (book_id) references books (id),
    constraint entries_recorded_by foreign key (recorded_by) references users (id),
    constraint entries_reverses foreign key (book_id, reverses) references entries (book_id, seq),
    constraint entries_replaces foreign key (book_id, replaces) references entries (book_id, seq),
    constraint entries_reverses_earlier check (reverses < seq),
    constraint entries_replaces_earlier check (replaces < seq),
    constraint entries_part check (part >= 0 and (part = 0 or reverses is not null)),
    constraint entries_kind check (kind in ('entry', 'reversal', 'replacement', 'adjustment')),
    constraint entries_kind_links check ((kind = 'reversal') = (reverses is not null) and (kind = 'replacement') = (replaces is not null)),
    constraint entries_hash_length check (octet_length(hash) = 32 and octet_length(prev_hash) = 32)
);
create index entries_by_effective_on on entries (book_id, effective_on, seq);
create index entries_by_recorded_at on entries (book_id, recorded_at);

create table postings (
    book_id      bigint  not null,
    seq          bigint  not null,
    line         integer not null,
    account_id   bigint  not null,
    amount_minor bigint  not null,
    currency     char(3) not null,
    constraint postings_pkey primary key (book_id, seq, line),
    constraint postings_entry foreign key (book_id, seq) references entries (book_id, seq) deferrable initially deferred,
    constraint postings_account foreign key (book_id, account_id, currency) references accounts (book_id, id, currency),
    constraint postings_not_zero check (amount_minor <> 0),
    constraint postings_in_range check (amount_minor >= -9223372036854775807),
    constraint postings_line check (line >= 1)
);
create index postings_by_account on postings (book_id, account_id, seq, line) include (amount_minor);

-- A tx id that a pending request will use. Posted ones are unique on entries.
create table reserved_tx_ids (
    book_id     bigint not null,
    tx_id       text   not null,
    approval_id bigint not null,
    constraint reserved_tx_ids_pkey primary key (book_id, tx_id),
    constraint reserved_tx_ids_book foreign key (book_id) references books (id)
);

-- A request that settled. Of a posted entry seq is enough; content and receipt are kept for the other operations.
create table idempotency_keys (
    book_id     bigint      not null,
    key         text        not null,
    operation   text        not null,
    fingerprint bytea       not null,
    seq         bigint,
    content     jsonb,
    receipt     jsonb,
    attempts    integer     not null,
    replays     bigint      not null,
    used_by     bigint      not null,
    settled_at  timestamptz not null,
    expires_at  timestamptz not null,
    constraint idempotency_keys_pkey primary key (book_id, key),
    constraint idempotency_keys_book foreign key (book_id) references books (id),
    constraint idempotency_keys_used_by foreign key (used_by) references users (id),
    constraint idempotency_keys_fingerprint_length check (octet_length(fingerprint) = 32)
);
create index idempotency_keys_by_expiry on idempotency_keys (book_id, expires_at);
create index idempotency_keys_by_seq on idempotency_keys (book_id, seq) where seq is not null;

-- Kept totals: turnover per account, per account and day, and per currency. They are written with the postings they sum,
-- can be rebuilt from them, and verify proves them equal.
create table account_totals (
    book_id      bigint not null,
    account_id   bigint not null,
    debit_minor  bigint not null,
    credit_minor bigint not null,
    constraint account_totals_pkey primary key (book_id, account_id),
    constraint account_totals_account foreign key (book_id, account_id) references accounts (book_id, id)
);
create table account_days (
    book_id      bigint not null,
    account_id   bigint not null,
    effective_on date   not null,
    recorded_on  date   not null,
    debit_minor  bigint not null,
    credit_minor bigint not null,
    constraint account_days_pkey primary key (book_id, account_id, effective_on, recorded_on),
    constraint account_days_account foreign key (book_id, account_id) references accounts (book_id, id)
);
create table currency_totals (
    book_id     bigint  not null,
    currency    char(3) not null,
    debit_minor bigint  not null,
    constraint currency_totals_pkey primary key (book_id, currency),
    constraint currency_totals_book foreign key (book_id) references books (id)
);

create view journal as
select b.code as book, e.seq, p.line, e.tx_id, e.kind, e.effective_on, e.recorded_at, e.description, a.code as account, a.name as account_name,
       p.amount_minor, p.currency, e.reverses, e.replaces, e.reason, u.email as recorded_by, e.metadata
  from entries e
  join postings p on p.book_id = e.book_id and p.seq = e.seq
  join accounts a on a.book_id = p.book_id and a.id = p.account_id
  join books b on b.id = e.book_id
  join users u on u.id = e.recorded_by;
comment on view journal is 'A line a posting, for people with psql.';
-- +goose StatementEnd
