-- +goose Up
-- +goose StatementBegin
-- People match by hand, take matches apart, assign and comment breaks, and settle them with an entry: one above the limit of the book, or
-- for what the ledger lacks altogether, waits for another person. What they do is appended; a match that a person took apart stays known,
-- so that no rule makes it again.

alter table books
    add column adjustment_limit_minor bigint not null default 1000,
    add constraint books_adjustment_limit check (adjustment_limit_minor >= 0);
comment on column books.adjustment_limit_minor is 'Adjusting entries beyond it wait for another person. In minor units of the currency of the book.';
-- Ten, whatever the minor unit of the currency is.
update books set adjustment_limit_minor = case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 10
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 10000
    else 1000 end;

alter table matches
    add column first_on date,
    add column last_on date;
comment on column matches.first_on is 'The first day of its lines and postings, and in last_on their last; null for a match of one line and one posting that a rule made, or of a reversal.';
create index matches_of_several on matches (book_id, account_id, last_on) where live and kind in ('batch', 'split', 'manual');
create index matches_apart on matches (book_id, account_id, id) where not live;

create table match_events (
    book_id  bigint      not null,
    match_id bigint      not null,
    n        integer     not null,
    event    text        not null,
    note     text        not null,
    user_id  bigint      not null,
    at       timestamptz not null,
    constraint match_events_pkey primary key (book_id, match_id, n),
    constraint match_events_match foreign key (book_id, match_id) references matches (book_id, id),
    constraint match_events_user foreign key (user_id) references users (id),
    constraint match_events_event check (event in ('made', 'reduced', 'unmatched'))
);
create trigger match_events_no_change before update or delete on match_events for each row execute function refuse_change('the history of a match');
create trigger match_events_no_truncate before truncate on match_events execute function refuse_change('the history of a match');
alter table match_events enable always trigger match_events_no_change;
alter table match_events enable always trigger match_events_no_truncate;

alter table breaks
    add column match_id bigint,
    add column approval_id bigint,
    add column assignee_id bigint,
    add constraint breaks_match foreign key (book_id, match_id) references matches (book_id, id),
    add constraint breaks_approval foreign key (book_id, approval_id) references approvals (book_id, id),
    add constraint breaks_assignee foreign key (assignee_id) references users (id),
    add constraint breaks_settled_by check (resolution is null or resolution not in ('matched', 'adjusted', 'written_off', 'reversed') or match_id is not null),
    add constraint breaks_waiting check (status <> 'waiting_for_approval' or approval_id is not null);
comment on column breaks.match_id is 'The match that settled it, where its resolution is matched, adjusted, written_off or reversed.';
comment on column breaks.approval_id is 'The request that it waits for.';
create index breaks_by_match on breaks (book_id, match_id) where match_id is not null;
create index breaks_by_assignee on breaks (book_id, assignee_id) where assignee_id is not null and live and status <> 'resolved';
create index break_lines_left on break_lines (book_id, line_id, break_id) where not live;
create index break_postings_left on break_postings (book_id, seq, line, break_id) where not live;

alter table break_events
    add column match_id bigint,
    add column approval_id bigint,
    add column seq bigint,
    add column assignee_id bigint,
    drop constraint break_events_event,
    add constraint break_events_event check (event in ('found', 'carried', 'resolved', 'reopened', 'assigned', 'commented', 'superseded', 'returned', 'requested', 'reduced')),
    add constraint break_events_match foreign key (book_id, match_id) references matches (book_id, id),
    add constraint break_events_approval foreign key (book_id, approval_id) references approvals (book_id, id),
    add constraint break_events_entry foreign key (book_id, seq) references entries (book_id, seq),
    add constraint break_events_assignee foreign key (assignee_id) references users (id);
comment on column break_events.seq is 'The entry that was posted to settle the break.';

-- Postings that came after the matching of a reconciliation and count in its balance all the same, since a person matched them in it.
create table reconciliation_postings (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    seq               bigint  not null,
    line              integer not null,
    constraint reconciliation_postings_pkey primary key (book_id, reconciliation_id, seq, line),
    constraint reconciliation_postings_reconciliation foreign key (book_id, reconciliation_id) references reconciliations (book_id, id),
    constraint reconciliation_postings_posting foreign key (book_id, seq, line) references postings (book_id, seq, line)
);

-- The bank had, before the first statement, what the ledger had but for what was found since: that part of a balance per statement stands with it.
alter table reconciliations
    add column assumed_from date,
    add column assumed_minor bigint,
    add constraint reconciliations_assumed check ((assumed_from is null) = (assumed_minor is null));
comment on column reconciliations.assumed_minor is
    'What of the balance per statement was assumed: the postings of before assumed_from that are in no match and no break. Null where a bank stated a balance.';

alter table approvals
    drop constraint approvals_kind,
    add constraint approvals_kind check (kind in ('reversal', 'role_change', 'period_close', 'period_reopen', 'adjustment'));
alter table approval_decisions
    add column entry_seq bigint,
    add constraint approval_decisions_entry foreign key (book_id, entry_seq) references entries (book_id, seq),
    add constraint approval_decisions_posted check ((decision = 'approved' and kind = 'adjustment') = (entry_seq is not null));

update app_rights set may = replace(may, 'status,', 'since, status, match_id, approval_id, assignee_id,') where table_name = 'breaks';
update app_rights set may = replace(may, 'ledger_seq,', 'ledger_seq, assumed_from, assumed_minor,') where table_name = 'reconciliations';
update app_rights set may = replace(may, 'key_retention_days', 'key_retention_days, adjustment_limit_minor') where table_name = 'books';
-- +goose StatementEnd
