-- +goose Up
-- +goose StatementBegin
-- The audit log, and what the app may do: read all, add to what is append-only, change only what is meant to change.

create table audit_log (
    id         uuid        not null,
    at         timestamptz not null,
    book_id    bigint,
    user_id    bigint,
    email      text        not null,
    action     text        not null,
    object     text        not null,
    outcome    text        not null,
    detail     jsonb       not null,
    request_id text        not null,
    address    text        not null,
    constraint audit_log_pkey primary key (id),
    constraint audit_log_outcome check (outcome in ('done', 'refused', 'failed'))
);
create index audit_log_by_book on audit_log (book_id, at, id);
create trigger audit_log_no_change before update or delete on audit_log for each row execute function refuse_change('the audit log');
create trigger audit_log_no_truncate before truncate on audit_log execute function refuse_change('the audit log');
alter table audit_log enable always trigger audit_log_no_change;
alter table audit_log enable always trigger audit_log_no_truncate;

create function grant_app_rights(app name) returns void language plpgsql as $$
declare
    t record;
begin
    execute format('revoke temporary on database %I from public', current_database());
    execute format('revoke create on schema public from public');
    execute format('grant connect on database %I to %I', current_database(), app);
    execute format('grant usage on schema public to %I', app);
    execute format('revoke all on all tables in schema public from %I', app);
    execute format('grant select, insert on all tables in schema public to %I', app);
    execute format('revoke all on app_role from %I', app);
    if to_regclass('public.goose_db_version') is not null then
        execute format('revoke insert on goose_db_version from %I', app);
    end if;
    -- The head is locked by updating nothing: the trigger of entries moves it, as the owner.
    execute format('grant update (seq) on heads to %I', app);
    for t in select * from (values
        ('users', 'update'), ('user_roles', 'delete'), ('sessions', 'update, delete'), ('sign_in_attempts', 'update, delete'),
        ('tokens', 'update'), ('books', 'update'), ('numbers', 'update'), ('accounts', 'update'), ('periods', 'delete'),
        ('reserved_tx_ids', 'delete'), ('idempotency_keys', 'update, delete'), ('account_totals', 'update'), ('account_days', 'update'),
        ('currency_totals', 'update'), ('approvals', 'update (pending)'), ('statements', 'update (undone_at)'),
        ('statement_lines', 'update (undone)'), ('reconciliations', 'update'), ('matches', 'update (live)'), ('match_lines', 'update (live)'),
        ('match_postings', 'update (live)'), ('breaks', 'update'), ('break_lines', 'update (live)'), ('break_postings', 'update (live)')
    ) as v (name, may) loop
        execute format('grant %s on %I to %I', t.may, t.name, app);
    end loop;
end $$;
revoke execute on function grant_app_rights(name) from public;
-- +goose StatementEnd
