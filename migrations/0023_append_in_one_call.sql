-- +goose Up
-- +goose StatementBegin
-- Appending is one call, so that a batch costs one round trip, and a server may judge it by what it remembers of the book: the call
-- writes nothing when the book has moved on since.

create table book_versions (
    book_id bigint not null,
    version bigint not null,
    constraint book_versions_pkey primary key (book_id),
    constraint book_versions_book foreign key (book_id) references books (id)
);
comment on table book_versions is 'Goes up whenever something that entries are judged by changes and the head stays: accounts, periods, kept totals that are rebuilt.';
insert into book_versions (book_id, version) select book_id, 1 from heads;

create function begin_book_version() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    insert into public.book_versions (book_id, version) values (new.book_id, 1);
    return null;
end $$;
create function raise_book_version() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    update public.book_versions set version = version + 1 where book_id = coalesce(new.book_id, old.book_id);
    return null;
end $$;
create trigger heads_version after insert on heads for each row execute function begin_book_version();
create trigger accounts_version after insert or update or delete on accounts for each row execute function raise_book_version();
create trigger periods_version after insert or update or delete on periods for each row execute function raise_book_version();
alter table heads enable always trigger heads_version;
alter table accounts enable always trigger accounts_version;
alter table periods enable always trigger periods_version;

-- A key that another transaction has inserted and not committed holds up a whole batch: it is waited for only shortly (SQLSTATE 55P03).
create function settle_keys(
    book bigint, head bigint, keys text[], seqs bigint[], fingerprints bytea[], replays bigint[], expiries timestamptz[],
    recorders bigint[], recorded timestamptz[]
) returns void language plpgsql set lock_timeout = '200ms' as $$
begin
    insert into idempotency_keys (book_id, key, operation, fingerprint, seq, attempts, replays, used_by, settled_at, expires_at)
    select h.book_id, u.key, 'entry', u.fingerprint, u.seq, 1, u.replays, recorders[u.seq - head], recorded[u.seq - head], u.expires_at
      from heads h cross join unnest(settle_keys.keys, seqs, fingerprints, settle_keys.replays, expiries) u (key, seq, fingerprint, replays, expires_at)
     where h.book_id = book;
end $$;

-- Each key and tx id is looked up by itself, as a subquery that is not joined: to the planner a table that was empty when the plan was made is
-- as cheap to read whole, and the plan is kept.
create function are_taken(book bigint, keys text[], tx_ids text[]) returns boolean language plpgsql set enable_seqscan = off as $$
begin
    return exists (select from unnest(are_taken.keys) u (key)
                    where (select true from idempotency_keys k where k.book_id = book and k.key = u.key))
        or exists (select from unnest(tx_ids) u (tx_id)
                    where (select true from entries e where e.book_id = book and e.tx_id = u.tx_id)
                       or (select true from reserved_tx_ids r where r.book_id = book and r.tx_id = u.tx_id));
end $$;

-- append_entries writes a batch behind the head that it was judged for. It gives
--   done   all is written;
--   stale  nothing is: the head is another one, or the book's version is not facts_version (null: the caller holds the head and knows);
--   taken  nothing is: one of the keys or tx ids that are asked for, of whatever the batch appends or refuses, is in use already.
-- The head is taken first, by whoever appends. The statements join it, so that on a distributed engine they stay on the node of the book.
-- Plans are kept: a table that was empty when they were made must not be read whole when it has grown.
create function append_entries(
    book bigint, head_seq bigint, facts_version bigint, asked_keys text[], asked_tx_ids text[],
    seqs bigint[], tx_ids text[], kinds text[], effective date[], recorded timestamptz[], descriptions text[], reasons text[], recorders bigint[],
    approvals bigint[], reversed bigint[], replaced bigint[], posting_counts integer[], metadatas text[], prev_hashes bytea[], hashes bytea[],
    posting_seqs bigint[], posting_lines integer[], posting_accounts bigint[], posting_amounts bigint[], posting_currencies text[],
    keys text[], key_seqs bigint[], key_fingerprints bytea[], key_replays bigint[], key_expiries timestamptz[],
    total_accounts bigint[], total_debits bigint[], total_credits bigint[],
    day_accounts bigint[], day_effective date[], day_recorded date[], day_debits bigint[], day_credits bigint[],
    currencies text[], currency_debits bigint[]
) returns text language plpgsql set enable_seqscan = off as $$
declare
    head bigint;
begin
    select h.seq into head from heads h where h.book_id = book for no key update;
    if head is distinct from head_seq then
        return 'stale';
    end if;
    if facts_version is not null then
        if not exists (select from book_versions v where v.book_id = book and v.version = facts_version) then
            return 'stale';
        end if;
        if are_taken(book, asked_keys, asked_tx_ids) then
            return 'taken';
        end if;
    end if;

    if cardinality(seqs) = 0 then
        return 'done';
    end if;

    perform settle_keys(book, head, keys, key_seqs, key_fingerprints, key_replays, key_expiries, recorders, recorded);
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
-- +goose StatementEnd
