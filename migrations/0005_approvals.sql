-- +goose Up
-- +goose StatementBegin
-- Requests that take effect when another person approves them. A request never changes but for being no longer pending; a decision is
-- made once, by another person than the requester, and is bound by hash to what was requested.

create table approvals (
    book_id           bigint      not null,
    id                bigint      not null,
    kind              text        not null,
    subject_seq       bigint      not null,
    requester_id      bigint      not null,
    requested_at      timestamptz not null,
    reason            text        not null,
    effective_on      date        not null,
    reversal_tx_id    text        not null,
    replacement_tx_id text,
    replacement       jsonb,
    content_hash      bytea       not null,
    pending           boolean     not null,
    constraint approvals_pkey primary key (book_id, id),
    constraint approvals_bound unique (book_id, id, requester_id, content_hash),
    constraint approvals_subject foreign key (book_id, subject_seq) references entries (book_id, seq),
    constraint approvals_requester foreign key (requester_id) references users (id),
    constraint approvals_kind check (kind in ('reversal')),
    constraint approvals_replacement check ((replacement is null) = (replacement_tx_id is null)),
    constraint approvals_hash_length check (octet_length(content_hash) = 32)
);
create unique index approvals_one_pending on approvals (book_id, subject_seq) where pending;
create index approvals_by_requester on approvals (book_id, requester_id, id);

create table approval_decisions (
    book_id         bigint      not null,
    approval_id     bigint      not null,
    decision        text        not null,
    requester_id    bigint      not null,
    content_hash    bytea       not null,
    decider_id      bigint      not null,
    decided_at      timestamptz not null,
    note            text        not null,
    reversal_seq    bigint,
    replacement_seq bigint,
    constraint approval_decisions_pkey primary key (book_id, approval_id),
    constraint approval_decisions_bound foreign key (book_id, approval_id, requester_id, content_hash)
        references approvals (book_id, id, requester_id, content_hash),
    constraint approval_decisions_decider foreign key (decider_id) references users (id),
    constraint approval_decisions_reversal foreign key (book_id, reversal_seq) references entries (book_id, seq),
    constraint approval_decisions_replacement foreign key (book_id, replacement_seq) references entries (book_id, seq),
    constraint approval_decisions_decision check (decision in ('approved', 'rejected', 'recalled')),
    constraint approval_decisions_other_person check ((decider_id = requester_id) = (decision = 'recalled')),
    constraint approval_decisions_effect check ((decision = 'approved') = (reversal_seq is not null))
);

alter table entries add constraint entries_approval foreign key (book_id, approval_id) references approvals (book_id, id);
alter table reserved_tx_ids add constraint reserved_tx_ids_approval foreign key (book_id, approval_id) references approvals (book_id, id);

create function check_approval_change() returns trigger language plpgsql as $$
begin
    if (to_jsonb(new) - 'pending') is distinct from (to_jsonb(old) - 'pending') or new.pending or not old.pending then
        raise exception 'a request never changes: it is decided, once' using errcode = 'DB011';
    end if;
    return new;
end $$;
create trigger approvals_unchanged before update on approvals for each row execute function check_approval_change();
create trigger approvals_no_delete before delete on approvals for each row execute function refuse_change('a request');
create trigger approvals_no_truncate before truncate on approvals execute function refuse_change('a request');
create trigger approval_decisions_no_change before update or delete on approval_decisions for each row execute function refuse_change('a decision');
create trigger approval_decisions_no_truncate before truncate on approval_decisions execute function refuse_change('a decision');
alter table approvals enable always trigger approvals_unchanged;
alter table approvals enable always trigger approvals_no_delete;
alter table approvals enable always trigger approvals_no_truncate;
alter table approval_decisions enable always trigger approval_decisions_no_change;
alter table approval_decisions enable always trigger approval_decisions_no_truncate;
-- +goose StatementEnd
