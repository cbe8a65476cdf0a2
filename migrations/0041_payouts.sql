-- +goose Up
-- +goose StatementBegin
-- A payout is one amount that arrives at the bank for many payments, less fees. Each part of it is a posting of its own on the account of the bank, so
-- that a statement's one line is matched with all of them, and of each payment it is known whether its money arrived.

create table payouts (
    book_id      bigint      not null,
    id           bigint      not null,
    source       text        not null,
    payout       text        not null,
    message_id   text        not null,
    currency     char(3)     not null,
    amount_minor bigint      not null,
    fee_minor    bigint      not null,
    paid_on      date        not null,
    seq          bigint      not null,
    user_id      bigint      not null,
    at           timestamptz not null,
    constraint payouts_pkey primary key (book_id, id),
    constraint payouts_once unique (book_id, source, payout),
    constraint payouts_message foreign key (book_id, source, message_id) references inbox_messages (book_id, source, message_id),
    constraint payouts_entry foreign key (book_id, seq) references entries (book_id, seq),
    constraint payouts_user foreign key (user_id) references users (id)
);
comment on column payouts.seq is 'The entry that posted it, the first of several.';

create table payout_items (
    book_id      bigint  not null,
    payout_id    bigint  not null,
    n            integer not null,
    payment_id   bigint  not null,
    event_n      integer not null,
    amount_minor bigint  not null,
    fee_minor    bigint  not null,
    seq          bigint  not null,
    line         integer,
    live         boolean not null default true,
    constraint payout_items_pkey primary key (book_id, payout_id, n),
    constraint payout_items_payout foreign key (book_id, payout_id) references payouts (book_id, id),
    constraint payout_items_event foreign key (book_id, payment_id, event_n) references payment_events (book_id, payment_id, n),
    constraint payout_items_entry foreign key (book_id, seq) references entries (book_id, seq),
    constraint payout_items_posting foreign key (book_id, seq, line) references postings (book_id, seq, line)
);
comment on column payout_items.amount_minor is 'What arrives of it, less fees: negative for money that was given back.';
comment on column payout_items.fee_minor is 'The fee that became known with the payout; what was known before is booked with the event.';
comment on column payout_items.line is 'Its posting on the account of the bank; null where nothing arrives.';
comment on column payout_items.live is 'False once the entry was reversed: what it paid is not paid out then, and may be in another payout.';
create unique index payout_items_once on payout_items (book_id, payment_id, event_n) where live;
create index payout_items_by_posting on payout_items (book_id, seq, line);

create trigger payouts_no_change before update or delete on payouts for each row execute function refuse_change('a payout');
create trigger payouts_no_truncate before truncate on payouts execute function refuse_change('a payout');
create function payout_item_stays() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' or not old.live or
       (new.book_id, new.payout_id, new.n, new.payment_id, new.event_n, new.amount_minor, new.fee_minor, new.seq, new.line)
       is distinct from (old.book_id, old.payout_id, old.n, old.payment_id, old.event_n, old.amount_minor, old.fee_minor, old.seq, old.line)
       or not exists (select from public.entries e where e.book_id = old.book_id and e.reverses = old.seq) then
        raise exception 'a payout stays as it was posted until its entry is reversed' using errcode = 'DB001';
    end if;
    return new;
end $$;
create trigger payout_items_stay before update or delete on payout_items for each row execute function payout_item_stays();
create trigger payout_items_no_truncate before truncate on payout_items execute function refuse_change('a payout');
alter table payouts enable always trigger payouts_no_change;
alter table payouts enable always trigger payouts_no_truncate;
alter table payout_items enable always trigger payout_items_stay;
alter table payout_items enable always trigger payout_items_no_truncate;

insert into app_rights (table_name, may) values ('payout_items', 'update (live)');
-- +goose StatementEnd
