-- +goose Up
-- +goose StatementBegin
-- What an overlap leaves open is told row by row; an import is undone as a whole, with a reason, by a row that stays; and a file whose
-- balances do not add up is stored only with the reason why.

alter table statement_rows
    add column known_statement_id bigint,
    add column may_be_new boolean not null default false,
    add constraint statement_rows_known_statement foreign key (book_id, known_statement_id) references statements (book_id, id);
comment on column statement_rows.known_statement_id is 'The statement that stored a known row.';
comment on column statement_rows.may_be_new is 'A known row that may be one more, equal to a stored line: nothing decided it.';
alter table statement_rows disable trigger statement_rows_kept;
update statement_rows r set known_statement_id = s.id
  from statements s where s.book_id = r.book_id and r.class = 'known' and r.detail = 'stored by statement ' || s.id;
alter table statement_rows enable always trigger statement_rows_kept;
create index statement_rows_by_known_statement on statement_rows (book_id, known_statement_id) where known_statement_id is not null;

alter table statement_drafts add column included integer[] not null default '{}';
comment on column statement_drafts.included is 'Rows that may be new and that its uploader says are.';
update app_rights set may = replace(may, 'update (', 'update (included, ') where table_name = 'statement_drafts';

alter table statements
    add column opening_new_minor bigint,
    add column made_reconcilable boolean not null default false,
    add column balance_reason text,
    add constraint statements_balance_reason check (balance_reason <> '');
comment on column statements.opening_new_minor is 'The balance before its new lines, where the file tells it.';
comment on column statements.made_reconcilable is 'Its first day became the day from which the account is held against statements.';
comment on column statements.balance_reason is 'Why a file was stored whose balances do not add up.';
alter table statements disable trigger statements_kept;
update statements s set made_reconcilable = true
 where s.id = (select min(f.id) from statements f where f.book_id = s.book_id and f.account_id = s.account_id)
   and s.period_from = (select a.reconcile_from from accounts a where a.book_id = s.book_id and a.id = s.account_id);
alter table statements enable always trigger statements_kept;

create table statement_undos (
    book_id      bigint      not null,
    statement_id bigint      not null,
    user_id      bigint      not null,
    reason       text        not null,
    lines        integer     not null,
    matches      integer     not null,
    breaks       integer     not null,
    at           timestamptz not null,
    constraint statement_undos_pkey primary key (book_id, statement_id),
    constraint statement_undos_statement foreign key (book_id, statement_id) references statements (book_id, id),
    constraint statement_undos_user foreign key (user_id) references users (id),
    constraint statement_undos_reason check (reason <> '')
);
comment on table statement_undos is 'Who undid an import, why, and what went with it: its lines, the matches that were taken apart, the breaks that came back.';
create trigger statement_undos_no_change before update or delete on statement_undos for each row execute function refuse_change('the undoing of a statement');
create trigger statement_undos_no_truncate before truncate on statement_undos execute function refuse_change('the undoing of a statement');
alter table statement_undos enable always trigger statement_undos_no_change;
alter table statement_undos enable always trigger statement_undos_no_truncate;

alter table reconciliations
    drop constraint reconciliations_status,
    add constraint reconciliations_status check (status in ('open', 'submitted', 'signed_off', 'undone'));

alter table break_events
    add column was_type text,
    add column reconciliation_id bigint,
    add constraint break_events_reconciliation foreign key (book_id, reconciliation_id) references reconciliations (book_id, id);
comment on column break_events.was_type is 'Of a break that came back as another type: what it was, in the matching of reconciliation_id.';
create index break_events_by_reconciliation on break_events (book_id, reconciliation_id) where reconciliation_id is not null;
create index breaks_superseded on breaks (book_id, superseded_by) where superseded_by is not null;

-- A statement is undone once, by its row of statement_undos, and with all its lines.
create function check_undone_statement() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    if old.undone_at is not null or not exists (select from public.statement_undos u where u.book_id = new.book_id and u.statement_id = new.id) then
        raise exception 'statement % is undone once, with a reason', new.id using errcode = 'DB030';
    end if;
    if exists (select from public.reconciliations r where r.book_id = new.book_id and r.statement_id = new.id and r.status = 'signed_off') then
        raise exception 'statement % is signed off: it is not undone', new.id using errcode = 'DB031';
    end if;
    return new;
end $$;
create trigger statements_undone before update on statements for each row when (new.undone_at is distinct from old.undone_at) execute function check_undone_statement();
alter table statements enable always trigger statements_undone;

create function check_undone_lines() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    if exists (select from (select distinct c.book_id, c.statement_id, c.undone from changed c) c
                 join public.statements s on s.book_id = c.book_id and s.id = c.statement_id
                where c.undone <> (s.undone_at is not null)) then
        raise exception 'the lines of a statement are undone with it' using errcode = 'DB032';
    end if;
    return null;
end $$;
create trigger statement_lines_undone after update on statement_lines referencing new table as changed for each statement execute function check_undone_lines();
alter table statement_lines enable always trigger statement_lines_undone;
-- +goose StatementEnd
