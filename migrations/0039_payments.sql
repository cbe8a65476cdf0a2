-- +goose Up
-- +goose StatementBegin
-- Payments at a gateway. A payment is what its events have made of it; each event that moves money has its entry, written in the same transaction.
-- What is asked of the gateway is put down before it is asked, so that whoever comes after knows that the answer may be missing.

create table payment_settings (
    book_id              bigint      not null,
    currency             char(3)     not null,
    version              integer     not null,
    clearing_id          bigint      not null,
    received_id          bigint      not null,
    fees_id              bigint      not null,
    chargebacks_id       bigint      not null,
    bank_id              bigint      not null,
    customer_accounts    boolean     not null,
    refund_limit_minor   bigint      not null,
    user_id              bigint,
    at                   timestamptz not null,
    constraint payment_settings_pkey primary key (book_id, currency, version),
    constraint payment_settings_clearing foreign key (book_id, clearing_id) references accounts (book_id, id),
    constraint payment_settings_received foreign key (book_id, received_id) references accounts (book_id, id),
    constraint payment_settings_fees foreign key (book_id, fees_id) references accounts (book_id, id),
    constraint payment_settings_chargebacks foreign key (book_id, chargebacks_id) references accounts (book_id, id),
    constraint payment_settings_bank foreign key (book_id, bank_id) references accounts (book_id, id),
    constraint payment_settings_user foreign key (user_id) references users (id),
    constraint payment_settings_version check (version >= 1),
    constraint payment_settings_limit check (refund_limit_minor >= 0)
);
comment on table payment_settings is 'Which accounts the payments of a currency are booked on, in versions that stay. Without a user the operator set them.';
comment on column payment_settings.customer_accounts is 'What a customer pays is booked on customer:<customer>, where the book has that account.';
comment on column payment_settings.refund_limit_minor is 'A refund beyond it waits for another person.';

create table payments (
    book_id          bigint      not null,
    id               bigint      not null,
    gateway          text        not null,
    gateway_key      text        not null,
    charge           text,
    amount_minor     bigint      not null,
    currency         char(3)     not null,
    customer         text        not null,
    reference        text        not null,
    received_id      bigint      not null,
    state            text        not null,
    authorized_minor bigint      not null default 0,
    captured_minor   bigint      not null default 0,
    fee_minor        bigint      not null default 0,
    refunded_minor   bigint      not null default 0,
    disputed_minor   bigint      not null default 0,
    lost_minor       bigint      not null default 0,
    version          integer     not null default 0,
    created_by       bigint      not null,
    created_at       timestamptz not null,
    constraint payments_pkey primary key (book_id, id),
    constraint payments_book foreign key (book_id) references books (id),
    constraint payments_received foreign key (book_id, received_id) references accounts (book_id, id),
    constraint payments_created_by foreign key (created_by) references users (id),
    constraint payments_gateway_key unique (book_id, gateway_key),
    constraint payments_amount check (amount_minor > 0),
    constraint payments_amounts check (authorized_minor between 0 and amount_minor and captured_minor between 0 and authorized_minor
        and refunded_minor >= 0 and disputed_minor >= 0 and lost_minor >= 0),
    constraint payments_state check (state in ('created', 'authorized', 'captured', 'partly_refunded', 'refunded', 'voided', 'failed', 'disputed', 'charged_back')),
    constraint payments_version check (version >= 0)
);
comment on column payments.received_id is 'The account of who pays: what is given back goes where it came from.';
comment on column payments.gateway_key is 'What the keys of its requests to the gateway begin with.';
comment on column payments.charge is 'The gateway''s own name of the payment, once it is known.';
comment on column payments.version is 'How many events it has.';
create index payments_by_state on payments (book_id, state, id);
create unique index payments_by_charge on payments (book_id, gateway, charge) where charge is not null;
create index payments_by_customer on payments (book_id, customer, id);

create table payment_calls (
    book_id      bigint      not null,
    id           bigint      not null,
    payment_id   bigint      not null,
    command      text        not null,
    n            integer     not null,
    amount_minor bigint      not null,
    key          text        not null,
    content      text        not null,
    reason       text        not null,
    state        text        not null,
    attempts     integer     not null default 0,
    why          text        not null default '',
    problem      jsonb,
    approval_id  bigint,
    user_id      bigint      not null,
    request_id   text        not null,
    address      text        not null,
    created_at   timestamptz not null,
    changed_at   timestamptz not null,
    constraint payment_calls_pkey primary key (book_id, id),
    constraint payment_calls_payment foreign key (book_id, payment_id) references payments (book_id, id),
    constraint payment_calls_approval foreign key (book_id, approval_id) references approvals (book_id, id),
    constraint payment_calls_user foreign key (user_id) references users (id),
    constraint payment_calls_command check (command in ('authorize', 'capture', 'refund', 'void')),
    constraint payment_calls_state check (state in ('open', 'unknown', 'unposted', 'done', 'refused', 'not_done')),
    constraint payment_calls_n check (n >= 1),
    constraint payment_calls_amount check (amount_minor >= 0)
);
comment on table payment_calls is 'What was asked of a gateway. Open: being asked, or whoever asked is gone; unknown: no answer came; unposted: it is done, and its entry was refused.';
comment on column payment_calls.n is 'Ends the key of the request to the gateway. It goes up only when the one before was answered for good.';
comment on column payment_calls.key is 'The idempotency key of whoever asked; who settles the call does so under it.';
create unique index payment_calls_one_live on payment_calls (book_id, payment_id) where state in ('open', 'unknown', 'unposted');
create unique index payment_calls_live_key on payment_calls (book_id, key) where state in ('open', 'unknown', 'unposted');
create index payment_calls_by_payment on payment_calls (book_id, payment_id, id);
create index payment_calls_by_key on payment_calls (book_id, key);
create index payment_calls_live on payment_calls (changed_at) where state in ('open', 'unknown', 'unposted');

create table payment_tries (
    book_id   bigint      not null,
    call_id   bigint      not null,
    n         integer     not null,
    asked     text        not null,
    outcome   text        not null,
    why       text        not null,
    user_id   bigint      not null,
    at        timestamptz not null,
    took_us   bigint      not null,
    constraint payment_tries_pkey primary key (book_id, call_id, n),
    constraint payment_tries_call foreign key (book_id, call_id) references payment_calls (book_id, id),
    constraint payment_tries_user foreign key (user_id) references users (id),
    constraint payment_tries_asked check (asked in ('do', 'recover', 'person')),
    constraint payment_tries_outcome check (outcome in ('done', 'refused', 'not_done', 'unknown'))
);
comment on table payment_tries is 'Each time that the gateway was asked, or a person said what it had answered elsewhere.';

create table payment_events (
    book_id      bigint      not null,
    payment_id   bigint      not null,
    n            integer     not null,
    kind         text        not null,
    ref          text        not null,
    amount_minor bigint      not null,
    fee_minor    bigint      not null,
    reason       text        not null,
    seq          bigint,
    call_id      bigint,
    source       text,
    message_id   text,
    user_id      bigint      not null,
    at           timestamptz not null,
    constraint payment_events_pkey primary key (book_id, payment_id, n),
    constraint payment_events_once unique (book_id, payment_id, kind, ref),
    constraint payment_events_payment foreign key (book_id, payment_id) references payments (book_id, id),
    constraint payment_events_entry foreign key (book_id, seq) references entries (book_id, seq),
    constraint payment_events_call foreign key (book_id, call_id) references payment_calls (book_id, id),
    constraint payment_events_user foreign key (user_id) references users (id),
    constraint payment_events_kind check (kind in ('authorized', 'declined', 'captured', 'voided', 'refunded', 'refund_failed', 'disputed', 'dispute_won', 'dispute_lost')),
    constraint payment_events_cause check ((source is null) = (message_id is null) and (call_id is null) <> (source is null)),
    constraint payment_events_amounts check (amount_minor >= 0 and fee_minor >= 0),
    constraint payment_events_posted check (kind not in ('captured', 'refunded', 'refund_failed', 'disputed', 'dispute_won') or seq is not null)
);
create unique index payment_events_by_entry on payment_events (book_id, seq) where seq is not null;
create trigger payment_events_no_change before update or delete on payment_events for each row execute function refuse_change('the history of a payment');
create trigger payment_events_no_truncate before truncate on payment_events execute function refuse_change('the history of a payment');
create trigger payment_tries_no_change before update or delete on payment_tries for each row execute function refuse_change('what was asked of a gateway');
create trigger payment_tries_no_truncate before truncate on payment_tries execute function refuse_change('what was asked of a gateway');
create trigger payment_settings_no_change before update or delete on payment_settings for each row execute function refuse_change('the settings of payments');
create trigger payment_settings_no_truncate before truncate on payment_settings execute function refuse_change('the settings of payments');

-- A payment moves with its events only: what was asked for stays, and each change is one more event.
create function payment_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        raise exception 'a payment stays: % is refused', lower(tg_op) using errcode = 'DB001';
    end if;
    if (new.book_id, new.id, new.gateway, new.gateway_key, new.amount_minor, new.currency, new.customer, new.reference, new.received_id, new.created_by, new.created_at)
       is distinct from (old.book_id, old.id, old.gateway, old.gateway_key, old.amount_minor, old.currency, old.customer, old.reference, old.received_id, old.created_by, old.created_at)
       or old.charge is not null and new.charge is distinct from old.charge then
        raise exception 'what was asked for in payment % stays as it is', old.id using errcode = 'DB001';
    end if;
    if new.version not in (old.version, old.version + 1) or new.version = old.version
       and (new.state, new.authorized_minor, new.captured_minor, new.fee_minor, new.refunded_minor, new.disputed_minor, new.lost_minor)
       is distinct from (old.state, old.authorized_minor, old.captured_minor, old.fee_minor, old.refunded_minor, old.disputed_minor, old.lost_minor) then
        raise exception 'payment % moves by its events only', old.id using errcode = 'DB001';
    end if;
    return new;
end $$;
create trigger payments_move before update or delete on payments for each row execute function payment_moves();
create trigger payments_no_truncate before truncate on payments execute function refuse_change('a payment');
create trigger payment_calls_no_delete before delete on payment_calls for each row execute function refuse_change('what was asked of a gateway');
create trigger payment_calls_no_truncate before truncate on payment_calls execute function refuse_change('what was asked of a gateway');
alter table payment_events enable always trigger payment_events_no_change;
alter table payment_events enable always trigger payment_events_no_truncate;
alter table payment_tries enable always trigger payment_tries_no_change;
alter table payment_tries enable always trigger payment_tries_no_truncate;
alter table payment_settings enable always trigger payment_settings_no_change;
alter table payment_settings enable always trigger payment_settings_no_truncate;
alter table payments enable always trigger payments_move;
alter table payments enable always trigger payments_no_truncate;
alter table payment_calls enable always trigger payment_calls_no_delete;
alter table payment_calls enable always trigger payment_calls_no_truncate;

alter table approvals
    drop constraint approvals_kind,
    add constraint approvals_kind check (kind in ('reversal', 'role_change', 'period_close', 'period_reopen', 'adjustment', 'refund'));

insert into app_rights (table_name, may) values
    ('payments', 'update (charge, state, authorized_minor, captured_minor, fee_minor, refunded_minor, disputed_minor, lost_minor, version)'),
    ('payment_calls', 'update (state, attempts, why, problem, changed_at)');
-- +goose StatementEnd
