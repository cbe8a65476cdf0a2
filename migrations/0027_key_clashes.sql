-- +goose Up
-- +goose StatementBegin
-- A key that comes again for something else is refused; who sent it first and who sent it differently stays on record, field by field,
-- also when the key itself has expired. An admin may change how long a book keeps its keys.

create table key_clashes (
    book_id         bigint      not null,
    id              bigint      not null,
    key             text        not null,
    at              timestamptz not null,
    sent_by         bigint      not null,
    operation       text        not null,
    request_id      text        not null,
    address         text        not null,
    first_by        text        not null,
    first_at        timestamptz,
    first_operation text        not null,
    first_seq       bigint,
    fields          jsonb       not null,
    constraint key_clashes_pkey primary key (book_id, id),
    constraint key_clashes_book foreign key (book_id) references books (id),
    constraint key_clashes_sent_by foreign key (sent_by) references users (id),
    constraint key_clashes_key_length check (length(key) between 1 and 255),
    constraint key_clashes_fields check (jsonb_typeof(fields) = 'array' and jsonb_array_length(fields) <= 100)
);
create index key_clashes_by_key on key_clashes (book_id, key, id);
comment on column key_clashes.first_at is 'When the first request settled; NULL while it was still at work.';
comment on column key_clashes.fields is 'Field by field what was sent first and what now, those that differ before those that are the same.';
create trigger key_clashes_no_change before update or delete on key_clashes for each row execute function refuse_change('the record of clashes');
create trigger key_clashes_no_truncate before truncate on key_clashes execute function refuse_change('the record of clashes');
alter table key_clashes enable always trigger key_clashes_no_change;
alter table key_clashes enable always trigger key_clashes_no_truncate;

-- Retries are rare, so this costs a first request nothing.
create index idempotency_keys_retried on idempotency_keys (book_id, expires_at) where replays > 0;

insert into app_rights (table_name, may) values ('books', 'update (key_retention_days)');
-- +goose StatementEnd
