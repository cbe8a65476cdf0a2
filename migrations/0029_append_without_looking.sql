-- +goose Up
-- +goose StatementBegin
-- What a batch inserts is not looked up before: the unique indexes tell what is taken. What the triggers check in every entry is planned once,
-- and what only some entries need is asked for those.

create or replace function check_new_entries() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    set plan_cache_mode = force_generic_plan as $$
declare
    b   record;
    bad bigint;
begin
    if current_setting('session_replication_role') = 'replica' then
        raise exception 'the journal takes nothing while foreign keys are off' using errcode = 'DB012';
    end if;
    for b in
        select n.book_id, min(n.seq) as lowest, max(n.seq) as highest, count(*) as entries, bool_or(n.reverses is not null) as reversing,
               h.seq as head, h.hash, h.recorded_at,
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
        if b.reversing then
            select n.seq into bad
              from added n join public.entries e on e.book_id = n.book_id and e.seq = n.reverses
             where n.book_id = b.book_id
               and (e.kind = 'reversal' or exists (select from public.entries o where o.book_id = n.book_id and o.reverses = n.reverses
                                                      and o.seq <> n.seq and (o.part = 0) <> (n.part = 0)))
             order by n.seq limit 1;
            if bad is not null then
                raise exception 'entry % reverses what cannot be reversed (again)', bad using errcode = 'DB009';
            end if;
        end if;
        if exists (select from public.periods p where p.book_id = b.book_id and p.period between b.first_period and b.last_period) then
            select n.seq into bad
              from public.periods p join added n on n.book_id = p.book_id and to_char(n.effective_on, 'YYYY-MM') = p.period
             where p.book_id = b.book_id order by n.seq limit 1;
            if bad is not null then
                raise exception 'entry % lies in a period that is closed', bad using errcode = 'DB013';
            end if;
        end if;
        update public.heads h
           set seq = b.highest, hash = n.hash, recorded_at = n.recorded_at
          from added n where h.book_id = b.book_id and n.book_id = b.book_id and n.seq = b.highest;
    end loop;
    return null;
end $$;

-- The entry is found by its number: many entries may be recorded at one time.
create or replace function check_head_moves() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    is_there boolean;
begin
    select e.hash = new.hash and e.recorded_at = new.recorded_at into is_there from public.entries e where e.book_id = new.book_id and e.seq = new.seq;
    if new.book_id <> old.book_id or new.seq <= old.seq or is_there is not true then
        raise exception 'a head only moves forward, to the last entry of its book' using errcode = 'DB005';
    end if;
    return new;
end $$;

-- append_entries writes a batch behind the head that it was judged for. It gives
--   done   all is written;
--   stale  nothing is: the head is another one, or the book's version is not facts_version (null: the caller holds the head and knows);
--   taken  nothing is: a key of the batch is in use already, a tx id of it is reserved, or one of those that are asked for is in use. Asked for
--          are the keys and tx ids of what the batch refuses: it might be a retry.
-- A tx id of the batch that another entry has is an error (entries_tx_id). With null for facts_version a key in use is one too.
create or replace function append_entries(
    book bigint, head_seq bigint, facts_version bigint, asked_keys text[], asked_tx_ids text[],
    seqs bigint[], tx_ids text[], kinds text[], effective date[], recorded timestamptz[], descriptions text[], reasons text[], recorders bigint[],
    approvals bigint[], reversed bigint[], replaced bigint[], posting_counts integer[], metadatas text[], prev_hashes bytea[], hashes bytea[],
    posting_seqs bigint[], posting_lines integer[], posting_accounts bigint[], posting_amounts bigint[], posting_currencies text[],
    keys text[], key_seqs bigint[], key_fingerprints bytea[], key_replays bigint[], key_expiries timestamptz[],
    total_accounts bigint[], total_debits bigint[], total_credits bigint[],
    day_accounts bigint[], day_effective date[], day_recorded date[], day_debits bigint[], day_credits bigint[],
    currencies text[], currency_debits bigint[]
) returns text language plpgsql
    set enable_seqscan = off set plan_cache_mode = force_generic_plan set lock_timeout = 0 as $$
declare
    head    bigint;
    settled bigint;
begin
    select h.seq into head from heads h where h.book_id = book for no key update;
    if head is distinct from head_seq then
        return 'stale';
    end if;
    if facts_version is not null then
        if not exists (select from book_versions v where v.book_id = book and v.version = facts_version) then
            return 'stale';
        end if;
        if coalesce(cardinality(asked_keys), 0) > 0 and are_taken(book, asked_keys, asked_tx_ids)
           or exists (select from unnest(tx_ids) u (tx_id) join reserved_tx_ids r on r.book_id = book and r.tx_id = u.tx_id) then
            return 'taken';
        end if;
    end if;

    if coalesce(cardinality(seqs), 0) = 0 then
        return 'done';
    end if;

    -- A key that another transaction has inserted and not committed holds up a whole batch: it is waited for only shortly (SQLSTATE 55P03).
    perform set_config('lock_timeout', '200ms', true);
    insert into idempotency_keys (book_id, key, operation, fingerprint, seq, attempts, replays, used_by, settled_at, expires_at)
    select h.book_id, u.key, 'entry', u.fingerprint, u.seq, 1, u.replays, recorders[u.seq - head], recorded[u.seq - head], u.expires_at
      from heads h cross join unnest(append_entries.keys, key_seqs, key_fingerprints, key_replays, key_expiries) u (key, seq, fingerprint, replays, expires_at)
     where h.book_id = book
    on conflict (book_id, key) do nothing;
    get diagnostics settled = row_count;
    if settled < cardinality(append_entries.keys) then
        if facts_version is null then
            raise unique_violation using constraint = 'idempotency_keys_pkey', message = 'a key was taken meanwhile';
        end if;
        delete from idempotency_keys k using unnest(append_entries.keys, key_seqs) u (key, seq) where k.book_id = book and k.key = u.key and k.seq = u.seq;
        return 'taken';
    end if;

    insert into postings (book_id, seq, line, account_id, amount_minor, currency)
    select h.book_id, u.* from heads h cross join unnest(posting_seqs, posting_lines, posting_accounts, posting_amounts, posting_currencies) u
     where h.book_id = book;

    insert into entries (book_id, seq, tx_id, kind, effective_on, recorded_at, description, reason, recorded_by, approval_id, reverses, replaces,
                         posting_count, metadata, prev_hash, hash, part)
    select h.book_id, u.seq, u.tx_id, u.kind, u.effective_on, u.recorded_at, u.description, u.reason, u.recorded_by, u.approval_id, u.reverses, u.replaces,
           u.posting_count, u.metadata::jsonb, u.prev_hash, u.hash, 0
      from heads h cross join unnest(seqs, tx_ids, kinds, effective, recorded, descriptions, reasons, recorders, approvals, reversed, replaced,
                                     posting_counts, metadatas, prev_hashes, hashes)
           u (seq, tx_id, kind, effective_on, recorded_at, description, reason, recorded_by, approval_id, reverses, replaces,
              posting_count, metadata, prev_hash, hash)
     where h.book_id = book;

    insert into account_totals (book_id, account_id, debit_minor, credit_minor)
    select h.book_id, u.* from heads h cross join unnest(total_accounts, total_debits, total_credits) u where h.book_id = book
    on conflict (book_id, account_id) do update set debit_minor = excluded.debit_minor, credit_minor = excluded.credit_minor;

    insert into account_days as d (book_id, account_id, effective_on, recorded_on, debit_minor, credit_minor)
    select h.book_id, u.* from heads h cross join unnest(day_accounts, day_effective, day_recorded, day_debits, day_credits) u where h.book_id = book
    on conflict (book_id, account_id, effective_on, recorded_on) do update
       set debit_minor = d.debit_minor + excluded.debit_minor, credit_minor = d.credit_minor + excluded.credit_minor;

    insert into currency_totals (book_id, currency, debit_minor)
    select h.book_id, u.* from heads h cross join unnest(currencies, currency_debits) u where h.book_id = book
    on conflict (book_id, currency) do update set debit_minor = excluded.debit_minor;
    return 'done';
end $$;
drop function settle_keys;
-- Each key and tx id is looked up by itself, by a plan for the tables as they are: they may have been empty when the session began.
alter function are_taken reset enable_seqscan;
alter function are_taken set plan_cache_mode = force_custom_plan;
-- +goose StatementEnd
