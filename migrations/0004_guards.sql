-- +goose Up
-- +goose StatementBegin
-- The guards of the journal. They hold for everyone, the owner and a superuser included: changing what was recorded is refused, and an
-- entry comes in only whole, balanced, next in number and next in the chain. Each error has a SQLSTATE of its own.
-- The checks run once a statement, not once a row.

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% is append-only: % is refused', tg_argv[0], lower(tg_op) using errcode = 'DB001';
end $$;

create function check_new_postings() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    b    record;
    head bigint;
begin
    for b in select book_id, min(seq) as lowest from added group by book_id order by book_id loop
        select h.seq into head from public.heads h where h.book_id = b.book_id for no key update;
        if head is null or b.lowest <= head then
            raise exception 'postings enter only together with their entry: entry % is already recorded', b.lowest using errcode = 'DB002';
        end if;
    end loop;
    return null;
end $$;

create function check_new_entries() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    b   record;
    bad bigint;
begin
    for b in
        select n.book_id, min(n.seq) as lowest, max(n.seq) as highest, count(*) as entries, h.seq as head, h.hash, h.recorded_at
          from added n left join public.heads h on h.book_id = n.book_id
         group by n.book_id, h.seq, h.hash, h.recorded_at order by n.book_id
    loop
        if b.head is null or b.lowest <> b.head + 1 or b.highest - b.lowest + 1 <> b.entries then
            raise exception 'entries % to % do not follow entry %', b.lowest, b.highest, b.head using errcode = 'DB003';
        end if;
        select x.seq into bad
          from (select n.seq, n.prev_hash, n.recorded_at, lag(n.hash, 1, b.hash) over w as hash_before, lag(n.recorded_at, 1, b.recorded_at) over w as time_before
                  from added n where n.book_id = b.book_id window w as (order by n.seq)) x
         where x.prev_hash is distinct from x.hash_before or x.recorded_at < x.time_before order by x.seq limit 1;
        if bad is not null then
            raise exception 'entry % does not continue the chain', bad using errcode = 'DB007';
        end if;
        select n.seq into bad
          from added n
          left join (select g.seq, sum(g.lines) as lines, max(g.highest) as highest, count(*) filter (where g.total <> 0) as unbalanced
                       from (select p.seq, p.currency, count(*) as lines, max(p.line) as highest, sum(p.amount_minor) as total
                               from public.postings p
                              where p.book_id = b.book_id and p.seq between b.lowest and b.highest group by p.seq, p.currency) g
                      group by g.seq) whole on whole.seq = n.seq
         where n.book_id = b.book_id
           and (whole.lines is distinct from n.posting_count or whole.highest <> n.posting_count or n.posting_count < 2 or whole.unbalanced <> 0)
         order by n.seq limit 1;
        if bad is not null then
            raise exception 'entry % is not whole or does not balance', bad using errcode = 'DB004';
        end if;
        select n.seq into bad
          from added n join public.entries e on e.book_id = n.book_id and e.seq = n.reverses
         where n.book_id = b.book_id
           and (e.kind = 'reversal' or exists (select from public.entries o where o.book_id = n.book_id and o.reverses = n.reverses
                                                  and o.seq <> n.seq and (o.part = 0) <> (n.part = 0)))
         order by n.seq limit 1;
        if bad is not null then
            raise exception 'entry % reverses what cannot be reversed (again)', bad using errcode = 'DB009';
        end if;
        update public.heads h
           set seq = b.highest, hash = n.hash, recorded_at = n.recorded_at
          from added n where h.book_id = b.book_id and n.book_id = b.book_id and n.seq = b.highest;
    end loop;
    return null;
end $$;

create function check_head_moves() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    if new.book_id <> old.book_id or new.seq <= old.seq or not exists (
        select from public.entries e
         where e.book_id = new.book_id and e.seq = new.seq and e.hash = new.hash and e.recorded_at = new.recorded_at) then
        raise exception 'a head only moves forward, to the last entry of its book' using errcode = 'DB005';
    end if;
    return new;
end $$;

create function check_new_head() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    if new.seq <> 0 or new.hash <> sha256('genesis') or exists (select from public.entries e where e.book_id = new.book_id) then
        raise exception 'a book starts at 0' using errcode = 'DB008';
    end if;
    return new;
end $$;

create trigger entries_no_change before update or delete on entries for each row execute function refuse_change('the journal');
create trigger entries_no_truncate before truncate on entries execute function refuse_change('the journal');
create trigger entries_whole after insert on entries referencing new table as added for each statement execute function check_new_entries();
create trigger postings_no_change before update or delete on postings for each row execute function refuse_change('the journal');
create trigger postings_no_truncate before truncate on postings execute function refuse_change('the journal');
create trigger postings_with_entry after insert on postings referencing new table as added for each statement execute function check_new_postings();
create trigger heads_start before insert on heads for each row execute function check_new_head();
create trigger heads_move before update on heads for each row execute function check_head_moves();
create trigger heads_no_delete before delete on heads for each row execute function refuse_change('the head of a book');
create trigger heads_no_truncate before truncate on heads execute function refuse_change('the head of a book');

alter table entries enable always trigger entries_no_change;
alter table entries enable always trigger entries_no_truncate;
alter table entries enable always trigger entries_whole;
alter table postings enable always trigger postings_no_change;
alter table postings enable always trigger postings_no_truncate;
alter table postings enable always trigger postings_with_entry;
alter table heads enable always trigger heads_start;
alter table heads enable always trigger heads_move;
alter table heads enable always trigger heads_no_delete;
alter table heads enable always trigger heads_no_truncate;
-- +goose StatementEnd
