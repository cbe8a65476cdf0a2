-- +goose Up
-- +goose StatementBegin
-- Messages are delivered at least once and applied once: the row of a message is written in the transaction of its effect. One that cannot be
-- applied is kept with the reason, and what happened to it is appended.

create table inbox_messages (
    book_id     bigint      not null,
    source      text        not null,
    message_id  text        not null,
    type        text        not null,
    data        text        not null,
    data_hash   bytea       not null,
    state       text        not null,
    way         text        not null,
    deliveries  integer     not null default 1,
    tries       integer     not null default 0,
    pauses      integer     not null default 0,
    problem     jsonb,
    payment_id  bigint,
    seq         bigint,
    received_by bigint      not null,
    received_at timestamptz not null,
    changed_at  timestamptz not null,
    next_at     timestamptz,
    events      integer     not null default 0,
    constraint inbox_messages_pkey primary key (book_id, source, message_id),
    constraint inbox_messages_book foreign key (book_id) references books (id),
    constraint inbox_messages_entry foreign key (book_id, seq) references entries (book_id, seq),
    constraint inbox_messages_received_by foreign key (received_by) references users (id),
    constraint inbox_messages_state check (state in ('received', 'applied', 'waiting', 'failed', 'parked', 'dismissed')),
    constraint inbox_messages_way check (way in ('api', 'cloudevents', 'webhook', 'broker', 'file')),
    constraint inbox_messages_problem check (state in ('received', 'applied') or problem is not null),
    constraint inbox_messages_next check ((state in ('waiting', 'failed')) = (next_at is not null)),
    constraint inbox_messages_hash_length check (octet_length(data_hash) = 32),
    constraint inbox_messages_source_length check (length(source) between 1 and 100),
    constraint inbox_messages_id_length check (length(message_id) between 1 and 255)
);
comment on column inbox_messages.state is 'Received: within the transaction that brings it only, while it is tried for the first time.';
comment on column inbox_messages.pauses is 'How many of the pauses between tries are over. When all are, it is parked.';
comment on column inbox_messages.payment_id is 'The payment that it is about, where it names one. One that waits is looked at again when something happens to it.';
comment on column inbox_messages.seq is 'The entry that it posted.';
comment on column inbox_messages.events is 'How many rows inbox_events has of it.';
alter table payment_events add constraint payment_events_message foreign key (book_id, source, message_id) references inbox_messages (book_id, source, message_id);
create index inbox_messages_by_time on inbox_messages (book_id, received_at, source, message_id);
create index inbox_messages_unapplied on inbox_messages (book_id, state, received_at) where state <> 'applied';
create index inbox_messages_waiting on inbox_messages (book_id, payment_id, received_at) where state = 'waiting';
create index inbox_messages_due on inbox_messages (next_at) where next_at is not null;
create index inbox_messages_by_entry on inbox_messages (book_id, seq) where seq is not null;

create table inbox_events (
    book_id    bigint      not null,
    source     text        not null,
    message_id text        not null,
    n          integer     not null,
    event      text        not null,
    way        text        not null,
    result     text        not null,
    problem    jsonb,
    note       text        not null,
    user_id    bigint      not null,
    at         timestamptz not null,
    constraint inbox_events_pkey primary key (book_id, source, message_id, n),
    constraint inbox_events_message foreign key (book_id, source, message_id) references inbox_messages (book_id, source, message_id),
    constraint inbox_events_user foreign key (user_id) references users (id),
    constraint inbox_events_event check (event in ('delivered', 'tried', 'retried', 'dismissed')),
    constraint inbox_events_way check (way in ('', 'api', 'cloudevents', 'webhook', 'broker', 'file')),
    constraint inbox_events_result check (result in ('applied', 'duplicate', 'waiting', 'failed', 'parked', 'dismissed', 'reused'))
);
comment on column inbox_events.event is 'Delivered: it came; tried: it was tried again by itself; retried, dismissed: a person had it so.';
create trigger inbox_events_no_change before update or delete on inbox_events for each row execute function refuse_change('the history of a message');
create trigger inbox_events_no_truncate before truncate on inbox_events execute function refuse_change('the history of a message');
alter table inbox_events enable always trigger inbox_events_no_change;
alter table inbox_events enable always trigger inbox_events_no_truncate;

create function message_stays() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        raise exception 'a message stays: % is refused', lower(tg_op) using errcode = 'DB001';
    end if;
    if (new.book_id, new.source, new.message_id, new.type, new.data, new.data_hash, new.way, new.received_by, new.received_at)
       is distinct from (old.book_id, old.source, old.message_id, old.type, old.data, old.data_hash, old.way, old.received_by, old.received_at)
       or old.state = 'applied' and (new.state, new.seq, new.payment_id) is distinct from (old.state, old.seq, old.payment_id) then
        raise exception 'message % of % stays as it came', old.message_id, old.source using errcode = 'DB001';
    end if;
    return new;
end $$;
create trigger inbox_messages_stay before update or delete on inbox_messages for each row execute function message_stays();
create trigger inbox_messages_no_truncate before truncate on inbox_messages execute function refuse_change('a message');
alter table inbox_messages enable always trigger inbox_messages_stay;
alter table inbox_messages enable always trigger inbox_messages_no_truncate;

insert into app_rights (table_name, may) values
    ('inbox_messages', 'update (state, deliveries, tries, pauses, problem, payment_id, seq, changed_at, next_at, events)');
-- +goose StatementEnd
