-- +goose Up
-- +goose StatementBegin
-- Long work is a job: it is put down in the transaction that asks for it, worked by any server, and its result is whole or absent. The tables
-- of the queue are River's, as its own migrations 2 to 8 leave them.

create type river_job_state as enum ('available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled');
create function river_job_state_in_bitmask(bitmask bit(8), state river_job_state) returns boolean language sql immutable as $$
    select case state
        when 'available' then get_bit(bitmask, 7)
        when 'cancelled' then get_bit(bitmask, 6)
        when 'completed' then get_bit(bitmask, 5)
        when 'discarded' then get_bit(bitmask, 4)
        when 'pending'   then get_bit(bitmask, 3)
        when 'retryable' then get_bit(bitmask, 2)
        when 'running'   then get_bit(bitmask, 1)
        when 'scheduled' then get_bit(bitmask, 0)
        else 0
    end = 1;
$$;
create table river_job (
    id            bigserial       primary key,
    state         river_job_state not null default 'available',
    attempt       smallint        not null default 0,
    max_attempts  smallint        not null default 25,
    attempted_at  timestamptz,
    created_at    timestamptz     not null default now(),
    finalized_at  timestamptz,
    scheduled_at  timestamptz     not null default now(),
    priority      smallint        not null default 1,
    args          jsonb           not null,
    attempted_by  text[],
    errors        jsonb[],
    kind          text            not null,
    metadata      jsonb           not null default '{}',
    queue         text            not null default 'default',
    tags          varchar(255)[]  not null default '{}',
    unique_key    bytea,
    unique_states bit(8),
    constraint finalized_or_finalized_at_null check ((finalized_at is null and state not in ('cancelled', 'completed', 'discarded'))
        or (finalized_at is not null and state in ('cancelled', 'completed', 'discarded'))),
    constraint max_attempts_is_positive check (max_attempts > 0),
    constraint priority_in_range check (priority >= 1 and priority <= 4),
    constraint queue_length check (char_length(queue) > 0 and char_length(queue) < 128),
    constraint kind_length check (char_length(kind) > 0 and char_length(kind) < 128)
);
create index river_job_kind on river_job (kind);
create index river_job_state_and_finalized_at_index on river_job (state, finalized_at) where finalized_at is not null;
create index river_job_prioritized_fetching_index on river_job (state, queue, priority, scheduled_at, id);
create index river_job_args_index on river_job using gin (args);
create index river_job_metadata_index on river_job using gin (metadata);
create unique index river_job_unique_idx on river_job (unique_key)
    where unique_key is not null and unique_states is not null and river_job_state_in_bitmask(unique_states, state);
create unlogged table river_leader (
    elected_at timestamptz not null,
    expires_at timestamptz not null,
    leader_id  text        not null,
    name       text        primary key default 'default',
    constraint name_length check (name = 'default'),
    constraint leader_id_length check (char_length(leader_id) > 0 and char_length(leader_id) < 128)
);
create table river_queue (
    name       text        primary key not null,
    created_at timestamptz not null default now(),
    metadata   jsonb       not null default '{}',
    paused_at  timestamptz,
    updated_at timestamptz not null default current_timestamp
);
create table river_notification (
    id         bigserial   primary key,
    created_at timestamptz not null default now(),
    payload    text        not null,
    topic      text        not null,
    constraint topic_length check (length(topic) > 0 and length(topic) < 128)
);
create index river_notification_created_at_idx on river_notification (created_at);
create index river_notification_topic_id_idx on river_notification (topic, id);

create table jobs (
    book_id       bigint      not null,
    id            bigint      not null,
    kind          text        not null,
    user_id       bigint      not null,
    account_id    bigint      not null,
    draft_id      bigint      not null,
    file_name     text        not null,
    file_hash     bytea       not null,
    params        jsonb       not null,
    state         text        not null,
    phase         text        not null,
    done          bigint      not null,
    total         bigint      not null,
    attempts      integer     not null,
    cancelled_by  bigint,
    statement_id  bigint,
    problem       jsonb,
    created_at    timestamptz not null,
    started_at    timestamptz,
    ended_at      timestamptz,
    constraint jobs_pkey primary key (book_id, id),
    constraint jobs_user foreign key (user_id) references users (id),
    constraint jobs_cancelled_by foreign key (cancelled_by) references users (id),
    constraint jobs_account foreign key (book_id, account_id) references accounts (book_id, id),
    constraint jobs_statement foreign key (book_id, statement_id) references statements (book_id, id),
    constraint jobs_kind check (kind in ('statement')),
    constraint jobs_state check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
    constraint jobs_ended check ((state in ('done', 'failed', 'cancelled')) = (ended_at is not null)),
    constraint jobs_result check ((state = 'done') = (statement_id is not null)),
    constraint jobs_problem check ((state = 'failed') = (problem is not null)),
    constraint jobs_hash_length check (octet_length(file_hash) = 32)
);
comment on column jobs.done is 'Of total: what the phase counts.';
create unique index jobs_one_of_a_file on jobs (book_id, account_id, file_hash) where state in ('waiting', 'running');
create unique index jobs_by_draft on jobs (book_id, draft_id) where state in ('waiting', 'running');
create index jobs_at_work on jobs (state) where state in ('waiting', 'running');
create index jobs_by_user on jobs (book_id, user_id, id);

alter table statement_drafts
    add column job_id bigint,
    add column by_api boolean not null default false;
comment on column statement_drafts.job_id is 'The job that stores it: nobody changes it meanwhile, and it does not grow old.';
comment on column statement_drafts.by_api is 'It came as a whole request: it goes with its job, whatever becomes of that.';

update app_rights set may = replace(may, 'update (', 'update (job_id, ') where table_name = 'statement_drafts';
insert into app_rights (table_name, may) values
    ('jobs', 'update (state, phase, done, total, attempts, cancelled_by, statement_id, problem, started_at, ended_at)'),
    ('river_job', 'update, delete'), ('river_leader', 'update, delete'), ('river_queue', 'update, delete'), ('river_notification', 'update, delete'),
    ('river_job_id_seq', 'usage'), ('river_notification_id_seq', 'usage');
-- +goose StatementEnd
