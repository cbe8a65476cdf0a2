-- +goose Up
-- +goose StatementBegin
-- A period is closed, and opened again, by a request that another person approves. Whoever closes one takes the head of the book, by hand
-- too, so that an entry is in before or meets the closed period; and the journal takes no entry dated in it, whoever writes.

alter table approvals
    drop constraint approvals_kind,
    add constraint approvals_kind check (kind in ('reversal', 'role_change', 'period_close', 'period_reopen'));
alter table periods
    add column approval_id bigint,
    add constraint periods_approval foreign key (book_id, approval_id) references approvals (book_id, id);
comment on column periods.approval_id is 'The request that closed the period.';
create index approvals_about on approvals (book_id, subject, id) where subject is not null;

-- What the app opens again it deletes.
insert into app_rights (table_name, may) values ('periods', 'delete');

create function take_head_of_period() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    perform from public.heads h where h.book_id = coalesce(new.book_id, old.book_id) for no key update;
    return coalesce(new, old);
end $$;
create trigger periods_take_head before insert or update or delete on periods for each row execute function take_head_of_period();
create trigger periods_no_truncate before truncate on periods execute function refuse_change('the list of closed periods');
alter table periods enable always trigger periods_take_head;
alter table periods enable always trigger periods_no_truncate;

create or replace function check_new_entries() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    b   record;
    bad bigint;
begin
    if current_setting('session_replication_role') = 'replica' then
        raise exception 'the journal takes nothing while foreign keys are off' using errcode = 'DB012';
    end if;
    for b in
        select n.book_id, min(n.seq) as lowest, max(n.seq) as highest, count(*) as entries, h.seq as head, h.hash, h.recorded_at,
               to_char(min(n.effective_on), 'YYYY-MM') as first_period, to_char(max(n.effective_on), 'YYYY-MM') as last_period
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
        select n.seq into bad
          from public.periods p join added n on n.book_id = p.book_id and to_char(n.effective_on, 'YYYY-MM') = p.period
         where p.book_id = b.book_id and p.period between b.first_period and b.last_period
         order by n.seq limit 1;
        if bad is not null then
            raise exception 'entry % lies in a period that is closed', bad using errcode = 'DB013';
        end if;
        update public.heads h
           set seq = b.highest, hash = n.hash, recorded_at = n.recorded_at
          from added n where h.book_id = b.book_id and n.book_id = b.book_id and n.seq = b.highest;
    end loop;
    return null;
end $$;
-- +goose StatementEnd
