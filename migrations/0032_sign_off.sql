-- +goose Up
-- +goose StatementBegin
-- A reconciliation is submitted by one person and signed off by another. What it says then is copied into tables that only grow, so that
-- no later matching, break or statement touches it; reopening begins a new version, and the old one stays as it was.

create table reconciliation_events (
    book_id           bigint      not null,
    reconciliation_id bigint      not null,
    n                 integer     not null,
    event             text        not null,
    version           integer     not null,
    reason            text        not null,
    unexplained_minor bigint      not null,
    open_breaks       integer     not null,
    content_hash      bytea       not null,
    user_id           bigint      not null,
    at                timestamptz not null,
    constraint reconciliation_events_pkey primary key (book_id, reconciliation_id, n),
    constraint reconciliation_events_bound unique (book_id, reconciliation_id, n, version, user_id, content_hash),
    constraint reconciliation_events_reconciliation foreign key (book_id, reconciliation_id) references reconciliations (book_id, id),
    constraint reconciliation_events_user foreign key (user_id) references users (id),
    constraint reconciliation_events_event check (event in ('submitted', 'returned', 'signed_off', 'reopened')),
    constraint reconciliation_events_accepted check (event <> 'submitted' or reason <> '' or (unexplained_minor = 0 and open_breaks = 0)),
    constraint reconciliation_events_reason check (reason <> '' or event in ('submitted', 'signed_off')),
    constraint reconciliation_events_hash_length check (octet_length(content_hash) = 32)
);
comment on column reconciliation_events.reason is 'Why what is unexplained was accepted, why it was reopened or returned, or the note of who signed.';

-- One row a signed version. content_hash is over all that it says, as submitted; hash is over that and both signatures.
create table signoffs (
    book_id               bigint      not null,
    reconciliation_id     bigint      not null,
    version               integer     not null,
    account_id            bigint      not null,
    account_code          text        not null,
    account_name          text        not null,
    currency              char(3)     not null,
    statement_id          bigint      not null,
    file_name             text        not null,
    file_hash             bytea       not null,
    scope_from            date        not null,
    scope_to              date        not null,
    period_stated         boolean     not null,
    balance_source        text        not null,
    rules                 jsonb       not null,
    rules_version         integer     not null,
    ledger_seq            bigint      not null,
    ledger_minor          bigint      not null,
    outstanding_minor     bigint      not null,
    in_transit_minor      bigint      not null,
    other_explained_minor bigint      not null,
    expected_minor        bigint      not null,
    statement_minor       bigint      not null,
    unexplained_minor     bigint      not null,
    ledger_total_minor    bigint      not null,
    bank_total_minor      bigint      not null,
    postings              integer     not null,
    lines                 integer     not null,
    matches               integer     not null,
    auto_lines            integer     not null,
    all_lines             integer     not null,
    submitted_n           integer     not null,
    submitted_by          bigint      not null,
    submitted_by_name     text        not null,
    submitted_at          timestamptz not null,
    accepted_reason       text        not null,
    content_hash          bytea       not null,
    signed_by             bigint      not null,
    signed_by_name        text        not null,
    signed_at             timestamptz not null,
    note                  text        not null,
    hash                  bytea       not null,
    constraint signoffs_pkey primary key (book_id, reconciliation_id, version),
    constraint signoffs_reconciliation foreign key (book_id, reconciliation_id) references reconciliations (book_id, id),
    constraint signoffs_statement foreign key (book_id, statement_id) references statements (book_id, id),
    constraint signoffs_bound foreign key (book_id, reconciliation_id, submitted_n, version, submitted_by, content_hash)
        references reconciliation_events (book_id, reconciliation_id, n, version, user_id, content_hash),
    constraint signoffs_signed_by foreign key (signed_by) references users (id),
    constraint signoffs_other_person check (signed_by <> submitted_by),
    constraint signoffs_proof check (unexplained_minor = expected_minor - statement_minor),
    constraint signoffs_auto_lines check (auto_lines between 0 and all_lines),
    constraint signoffs_hash_length check (octet_length(hash) = 32 and octet_length(file_hash) = 32)
);
comment on column signoffs.auto_lines is 'Lines of the bank, of all_lines, that a rule matched.';

-- What lines, postings and entries say is never changed, so that the copy only names them; what is said of them is copied.
create table signoff_matches (
    book_id           bigint      not null,
    reconciliation_id bigint      not null,
    version           integer     not null,
    match_id          bigint      not null,
    kind              text        not null,
    rule              text        not null,
    score             integer     not null,
    why               text        not null,
    made_by           text        not null,
    made_at           timestamptz not null,
    constraint signoff_matches_pkey primary key (book_id, reconciliation_id, version, match_id)
);
create table signoff_match_lines (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    version           integer not null,
    match_id          bigint  not null,
    line_id           bigint  not null,
    constraint signoff_match_lines_pkey primary key (book_id, reconciliation_id, version, match_id, line_id)
);
create table signoff_match_postings (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    version           integer not null,
    match_id          bigint  not null,
    seq               bigint  not null,
    line              integer not null,
    constraint signoff_match_postings_pkey primary key (book_id, reconciliation_id, version, match_id, seq, line)
);
create table signoff_breaks (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    version           integer not null,
    break_id          bigint  not null,
    found_by          bigint  not null,
    type              text    not null,
    difference_minor  bigint  not null,
    currency          char(3) not null,
    why               text    not null,
    first_seen_on     date    not null,
    since             date    not null,
    status            text    not null,
    resolution        text,
    reason_code       text    not null,
    note              text    not null,
    resolved_by       text    not null,
    resolved_at       timestamptz,
    constraint signoff_breaks_pkey primary key (book_id, reconciliation_id, version, break_id)
);
create table signoff_break_lines (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    version           integer not null,
    break_id          bigint  not null,
    line_id           bigint  not null,
    constraint signoff_break_lines_pkey primary key (book_id, reconciliation_id, version, break_id, line_id)
);
create table signoff_break_postings (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    version           integer not null,
    break_id          bigint  not null,
    seq               bigint  not null,
    line              integer not null,
    constraint signoff_break_postings_pkey primary key (book_id, reconciliation_id, version, break_id, seq, line)
);
-- What the proof is made of besides both balances: a break, a posting that the bank has later, or a line that the ledger has later.
create table signoff_explained (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    version           integer not null,
    n                 integer not null,
    part              text    not null,
    amount_minor      bigint  not null,
    break_id          bigint,
    seq               bigint,
    line              integer,
    line_id           bigint,
    constraint signoff_explained_pkey primary key (book_id, reconciliation_id, version, n),
    constraint signoff_explained_part check (part in ('outstanding', 'in_transit', 'other')),
    constraint signoff_explained_one check (num_nonnulls(break_id, seq, line_id) = 1 and (seq is null) = (line is null))
);
-- Entries that were posted to settle breaks, with the match that each stands in.
create table signoff_adjustments (
    book_id           bigint  not null,
    reconciliation_id bigint  not null,
    version           integer not null,
    seq               bigint  not null,
    match_id          bigint  not null,
    constraint signoff_adjustments_pkey primary key (book_id, reconciliation_id, version, seq, match_id)
);

create function check_new_signoff() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    if not exists (select from public.reconciliations r where r.book_id = new.book_id and r.id = new.reconciliation_id
                      and r.version = new.version and r.status = 'submitted') then
        raise exception 'version % of reconciliation % was not submitted: it is not signed off', new.version, new.reconciliation_id using errcode = 'DB020';
    end if;
    return new;
end $$;

-- The parts of a signed version enter with it, in one transaction, and never after.
create function check_new_signoff_parts() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    if exists (select from (select distinct book_id, reconciliation_id, version from added) a
                where not exists (select from public.signoffs s where s.book_id = a.book_id and s.reconciliation_id = a.reconciliation_id
                                     and s.version = a.version and s.xmin = pg_current_xact_id()::xid)) then
        raise exception 'what was signed off is kept as it was: nothing is added to it' using errcode = 'DB021';
    end if;
    return null;
end $$;

create function check_reconciliation() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    steps constant text[] := '{status,version}';
begin
    if tg_op = 'DELETE' then
        if old.status <> 'open' then
            raise exception 'reconciliation % is kept as it was: delete is refused', old.id using errcode = 'DB001';
        end if;
        return old;
    end if;
    if old.status <> 'open' and to_jsonb(new) - steps <> to_jsonb(old) - steps then
        raise exception 'reconciliation % is kept as it was: update is refused', old.id using errcode = 'DB001';
    end if;
    if old.status = 'signed_off' and new.status = 'open' and new.version = old.version + 1 and exists (
        select from public.reconciliation_events e where e.book_id = old.book_id and e.reconciliation_id = old.id and e.version = old.version and e.event = 'reopened') then
        return new;
    end if;
    if new.version <> old.version or (old.status = 'signed_off' and new.status <> old.status) then
        raise exception 'reconciliation % is signed off: only reopening it, with a reason, begins a new version', old.id using errcode = 'DB022';
    end if;
    if new.status = 'signed_off' and old.status <> 'signed_off' and not exists (
        select from public.signoffs s where s.book_id = new.book_id and s.reconciliation_id = new.id and s.version = new.version) then
        raise exception 'nobody signed off reconciliation %', new.id using errcode = 'DB022';
    end if;
    return new;
end $$;

create function refuse_change_of_signed_match() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    of_match constant bigint := (to_jsonb(old) ->> tg_argv[0])::bigint;
    home     bigint;
begin
    select r.id into home
      from public.matches m join public.reconciliations r on r.book_id = m.book_id and r.id = m.reconciliation_id
     where m.book_id = old.book_id and m.id = of_match and r.status = 'signed_off';
    if home is not null then
        raise exception 'match % is part of reconciliation %, which is signed off', of_match, home using errcode = 'DB001';
    end if;
    return new;
end $$;

create trigger signoffs_submitted before insert on signoffs for each row execute function check_new_signoff();
alter table signoffs enable always trigger signoffs_submitted;
create trigger reconciliations_signed before update or delete on reconciliations for each row execute function check_reconciliation();
alter table reconciliations enable always trigger reconciliations_signed;
create trigger reconciliations_no_truncate before truncate on reconciliations execute function refuse_change('a reconciliation');
alter table reconciliations enable always trigger reconciliations_no_truncate;
create trigger matches_signed before update on matches for each row when (old.live <> new.live) execute function refuse_change_of_signed_match('id');
create trigger match_lines_signed before update on match_lines for each row when (old.live <> new.live) execute function refuse_change_of_signed_match('match_id');
create trigger match_postings_signed before update on match_postings for each row when (old.live <> new.live) execute function refuse_change_of_signed_match('match_id');
alter table matches enable always trigger matches_signed;
alter table match_lines enable always trigger match_lines_signed;
alter table match_postings enable always trigger match_postings_signed;

do $$
declare
    t text;
begin
    foreach t in array '{reconciliation_events,signoffs,signoff_matches,signoff_match_lines,signoff_match_postings,signoff_breaks,signoff_break_lines,signoff_break_postings,signoff_explained,signoff_adjustments}'::text[] loop
        execute format('create trigger %I before update or delete on %I for each row execute function refuse_change(%L)', t || '_no_change', t, 'what was signed off');
        execute format('create trigger %I before truncate on %I execute function refuse_change(%L)', t || '_no_truncate', t, 'what was signed off');
        execute format('alter table %I enable always trigger %I', t, t || '_no_change');
        execute format('alter table %I enable always trigger %I', t, t || '_no_truncate');
        if t like 'signoff\_%' then
            execute format('create trigger %I after insert on %I referencing new table as added for each statement execute function check_new_signoff_parts()', t || '_with_signoff', t);
            execute format('alter table %I enable always trigger %I', t, t || '_with_signoff');
        end if;
    end loop;
end $$;

update app_rights set may = regexp_replace(may, 'update \(', 'update (status, version, ') where table_name = 'reconciliations';
-- +goose StatementEnd
