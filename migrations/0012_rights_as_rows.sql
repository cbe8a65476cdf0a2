-- +goose Up
-- +goose StatementBegin
-- What the app may change stands in rows, so that a new table adds its own instead of repeating the list.

create table app_rights (
    table_name text not null,
    may        text not null,
    constraint app_rights_pkey primary key (table_name)
);
comment on table app_rights is 'What the role of the app may do with a table besides select and insert.';

insert into app_rights (table_name, may) values
    ('users', 'update (password_hash, disabled_at)'), ('user_roles', 'delete'), ('sessions', 'update (data, expiry), delete'),
    ('sign_in_attempts', 'update (succeeded), delete'), ('tokens', 'update (revoked_at)'), ('numbers', 'update (last)'),
    ('accounts', 'update (reconcile_from)'), ('reserved_tx_ids', 'delete'), ('idempotency_keys', 'update (receipt, replays), delete'),
    -- Who may update a column may lock the row. The app never moves a head: the trigger of entries does, as the owner.
    ('heads', 'update (seq)'),
    ('account_totals', 'update (debit_minor, credit_minor)'), ('account_days', 'update (debit_minor, credit_minor)'),
    ('currency_totals', 'update (debit_minor)'), ('approvals', 'update (pending)'), ('statements', 'update (undone_at)'),
    ('statement_lines', 'update (undone)'), ('reconciliations', 'update (ledger_seq, ledger_minor, statement_minor, balance_source)'),
    ('matches', 'update (live)'), ('match_lines', 'update (live)'), ('match_postings', 'update (live)'),
    ('breaks', 'update (type, difference_minor, why, status, resolution, live, superseded_by)'), ('break_lines', 'update (live)'),
    ('break_postings', 'update (live)');

create or replace function grant_app_rights(app name) returns void language plpgsql as $$
declare
    t record;
begin
    execute format('revoke temporary on database %I from public', current_database());
    execute format('revoke create on schema public from public');
    execute format('grant connect on database %I to %I', current_database(), app);
    execute format('grant usage on schema public to %I', app);
    execute format('revoke all on all tables in schema public from %I', app);
    execute format('grant select, insert on all tables in schema public to %I', app);
    execute format('revoke all on app_role, app_rights from %I', app);
    if to_regclass('public.goose_db_version') is not null then
        execute format('revoke insert on goose_db_version from %I', app);
    end if;
    for t in select * from app_rights loop
        execute format('grant %s on %I to %I', t.may, t.table_name, app);
    end loop;
end $$;
-- +goose StatementEnd
