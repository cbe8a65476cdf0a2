-- +goose Up
-- +goose StatementBegin
-- What an import stores, by the hundred thousand rows, is held against the rows that it is about once a statement, not once a row: a foreign key asks
-- for each row by itself, which took longer than storing it. What is referred to can neither be deleted nor numbered anew, so that asking
-- when a row comes in is enough.

-- Numbers are given out without gaps, so that what an import refers to is all that lies between two numbers: counting that answers for all of its rows.
-- Looking at each would be slow at best: in the middle of an import the planner knows nothing of what came in, and may choose to read a whole
-- index for each row. It is done where rows are few, and where something between is missing.
create function whole_range(rows bigint, lowest bigint, highest bigint) returns boolean language sql immutable as
    'select rows > 100 and highest - lowest < 1000 * rows';

create function refer_to_what_is() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    lost text;
begin
    case tg_table_name
    when 'statement_lines' then
        if exists (select from (select distinct book_id, statement_id, account_id from added) n
                    where not exists (select from public.statements s where s.book_id = n.book_id and s.id = n.statement_id and s.account_id = n.account_id)) then
            lost := 'statement_lines_statement';
        end if;
    when 'matches' then
        if exists (select from (select distinct book_id, reconciliation_id, account_id from added) n
                    where not exists (select from public.reconciliations r where r.book_id = n.book_id and r.id = n.reconciliation_id and r.account_id = n.account_id)) then
            lost := 'matches_reconciliation';
        end if;
    when 'reconciliation_breaks' then
        if exists (select from added n cross join lateral (select count(*) as found from public.breaks b where b.book_id = n.book_id and b.id = n.break_id) o where o.found = 0) then
            lost := 'reconciliation_breaks_break';
        elsif exists (select from (select distinct book_id, reconciliation_id from added) n
                       where not exists (select from public.reconciliations r where r.book_id = n.book_id and r.id = n.reconciliation_id)) then
            lost := 'reconciliation_breaks_reconciliation';
        end if;
    end case;
    if lost is not null then
        raise exception 'a row of % refers to what is not there (%)', tg_table_name, lost using errcode = 'foreign_key_violation', constraint = lost;
    end if;
    return null;
end $$;

create function match_lines_refer() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    a    record;
    lost text;
begin
    select min(book_id) as book_id, max(book_id) as last_book, count(*) as rows, min(match_id) as first_match, max(match_id) as last_match,
           min(line_id) as first_line, max(line_id) as last_line into a from added;
    if not (a.book_id = a.last_book and whole_range(a.rows, a.first_match, a.last_match)
            and (select count(*) from public.matches x where x.book_id = a.book_id and x.id between a.first_match and a.last_match) = a.last_match - a.first_match + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.matches x where x.book_id = n.book_id and x.id = n.match_id) o where o.found = 0) then
        lost := 'match_lines_match';
    elsif not (a.book_id = a.last_book and whole_range(a.rows, a.first_line, a.last_line)
               and (select count(*) from public.statement_lines l where l.book_id = a.book_id and l.id between a.first_line and a.last_line) = a.last_line - a.first_line + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.statement_lines l where l.book_id = n.book_id and l.id = n.line_id) o where o.found = 0) then
        lost := 'match_lines_line';
    end if;
    if lost is not null then
        raise exception 'a row of % refers to what is not there (%)', tg_table_name, lost using errcode = 'foreign_key_violation', constraint = lost;
    end if;
    return null;
end $$;

create function match_postings_refer() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    a    record;
    lost text;
begin
    select min(book_id) as book_id, max(book_id) as last_book, count(*) as rows, min(match_id) as first_match, max(match_id) as last_match,
           min(seq) as first_seq, max(seq) as last_seq, min(line) as line, max(line) as last_line into a from added;
    if not (a.book_id = a.last_book and whole_range(a.rows, a.first_match, a.last_match)
            and (select count(*) from public.matches x where x.book_id = a.book_id and x.id between a.first_match and a.last_match) = a.last_match - a.first_match + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.matches x where x.book_id = n.book_id and x.id = n.match_id) o where o.found = 0) then
        lost := 'match_postings_match';
    elsif not (a.book_id = a.last_book and a.line = a.last_line and whole_range(a.rows, a.first_seq, a.last_seq)
               and (select count(*) from public.postings p where p.book_id = a.book_id and p.seq between a.first_seq and a.last_seq and p.line = a.line) = a.last_seq - a.first_seq + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.postings p where p.book_id = n.book_id and p.seq = n.seq and p.line = n.line) o where o.found = 0) then
        lost := 'match_postings_posting';
    end if;
    if lost is not null then
        raise exception 'a row of % refers to what is not there (%)', tg_table_name, lost using errcode = 'foreign_key_violation', constraint = lost;
    end if;
    return null;
end $$;

create function break_lines_refer() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    a    record;
    lost text;
begin
    select min(book_id) as book_id, max(book_id) as last_book, count(*) as rows, min(break_id) as first_break, max(break_id) as last_break,
           min(line_id) as first_line, max(line_id) as last_line into a from added;
    if not (a.book_id = a.last_book and whole_range(a.rows, a.first_break, a.last_break)
            and (select count(*) from public.breaks x where x.book_id = a.book_id and x.id between a.first_break and a.last_break) = a.last_break - a.first_break + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.breaks x where x.book_id = n.book_id and x.id = n.break_id) o where o.found = 0) then
        lost := 'break_lines_break';
    elsif not (a.book_id = a.last_book and whole_range(a.rows, a.first_line, a.last_line)
               and (select count(*) from public.statement_lines l where l.book_id = a.book_id and l.id between a.first_line and a.last_line) = a.last_line - a.first_line + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.statement_lines l where l.book_id = n.book_id and l.id = n.line_id) o where o.found = 0) then
        lost := 'break_lines_line';
    end if;
    if lost is not null then
        raise exception 'a row of % refers to what is not there (%)', tg_table_name, lost using errcode = 'foreign_key_violation', constraint = lost;
    end if;
    return null;
end $$;

create function break_postings_refer() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    a    record;
    lost text;
begin
    select min(book_id) as book_id, max(book_id) as last_book, count(*) as rows, min(break_id) as first_break, max(break_id) as last_break,
           min(seq) as first_seq, max(seq) as last_seq, min(line) as line, max(line) as last_line into a from added;
    if not (a.book_id = a.last_book and whole_range(a.rows, a.first_break, a.last_break)
            and (select count(*) from public.breaks x where x.book_id = a.book_id and x.id between a.first_break and a.last_break) = a.last_break - a.first_break + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.breaks x where x.book_id = n.book_id and x.id = n.break_id) o where o.found = 0) then
        lost := 'break_postings_break';
    elsif not (a.book_id = a.last_book and a.line = a.last_line and whole_range(a.rows, a.first_seq, a.last_seq)
               and (select count(*) from public.postings p where p.book_id = a.book_id and p.seq between a.first_seq and a.last_seq and p.line = a.line) = a.last_seq - a.first_seq + 1)
       and exists (select from added n cross join lateral (select count(*) as found from public.postings p where p.book_id = n.book_id and p.seq = n.seq and p.line = n.line) o where o.found = 0) then
        lost := 'break_postings_posting';
    end if;
    if lost is not null then
        raise exception 'a row of % refers to what is not there (%)', tg_table_name, lost using errcode = 'foreign_key_violation', constraint = lost;
    end if;
    return null;
end $$;

-- The number of what is referred to stays.
create function keep_number() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' and new.book_id = old.book_id and new.id = old.id then
        return new;
    end if;
    raise exception '% is referred to: % of it is refused', tg_argv[0], lower(tg_op) using errcode = 'DB001';
end $$;

create trigger reconciliations_keep_number before update of book_id, id or delete on reconciliations for each row execute function keep_number('a reconciliation');
create trigger breaks_keep_number before update of book_id, id or delete on breaks for each row execute function keep_number('a break');
create trigger breaks_no_truncate before truncate on breaks execute function refuse_change('a break');
alter table reconciliations enable always trigger reconciliations_keep_number;
alter table breaks enable always trigger breaks_keep_number;
alter table breaks enable always trigger breaks_no_truncate;

create trigger statement_lines_referring after insert on statement_lines referencing new table as added for each statement execute function refer_to_what_is();
create trigger matches_referring after insert on matches referencing new table as added for each statement execute function refer_to_what_is();
create trigger reconciliation_breaks_referring after insert on reconciliation_breaks referencing new table as added for each statement execute function refer_to_what_is();
create trigger match_lines_referring after insert on match_lines referencing new table as added for each statement execute function match_lines_refer();
create trigger match_postings_referring after insert on match_postings referencing new table as added for each statement execute function match_postings_refer();
create trigger break_lines_referring after insert on break_lines referencing new table as added for each statement execute function break_lines_refer();
create trigger break_postings_referring after insert on break_postings referencing new table as added for each statement execute function break_postings_refer();
alter table statement_lines enable always trigger statement_lines_referring;
alter table matches enable always trigger matches_referring;
alter table reconciliation_breaks enable always trigger reconciliation_breaks_referring;
alter table match_lines enable always trigger match_lines_referring;
alter table match_postings enable always trigger match_postings_referring;
alter table break_lines enable always trigger break_lines_referring;
alter table break_postings enable always trigger break_postings_referring;

alter table statement_lines drop constraint statement_lines_statement, drop constraint statement_lines_account;
alter table matches drop constraint matches_reconciliation, drop constraint matches_account;
alter table match_lines drop constraint match_lines_match, drop constraint match_lines_line;
alter table match_postings drop constraint match_postings_match, drop constraint match_postings_posting;
alter table break_lines drop constraint break_lines_break, drop constraint break_lines_line;
alter table break_postings drop constraint break_postings_break, drop constraint break_postings_posting;
alter table reconciliation_breaks drop constraint reconciliation_breaks_break, drop constraint reconciliation_breaks_reconciliation;
-- +goose StatementEnd
