-- +goose Up
-- +goose StatementBegin
-- Requests are of several kinds. A reversal says what it asks for in columns of its own; any other kind has its subject as text, of which
-- one request waits at a time, and what it asks for as JSON. A decision has an effect on the journal only where its kind has one.

alter table approvals
    alter column subject_seq drop not null,
    alter column effective_on drop not null,
    alter column reversal_tx_id drop not null,
    add column subject text,
    add column content jsonb,
    drop constraint approvals_kind,
    add constraint approvals_kind check (kind in ('reversal', 'role_change')),
    add constraint approvals_of_kind unique (book_id, id, kind),
    add constraint approvals_reversal check (
        case when kind = 'reversal' then subject_seq is not null and effective_on is not null and reversal_tx_id is not null
             else subject_seq is null and effective_on is null and reversal_tx_id is null and replacement is null end),
    add constraint approvals_content check ((kind = 'reversal') = (content is null) and (kind = 'reversal') = (subject is null));
create unique index approvals_one_pending_subject on approvals (book_id, subject) where pending;

alter table approval_decisions
    add column kind text not null default 'reversal',
    drop constraint approval_decisions_effect,
    add constraint approval_decisions_effect check ((decision = 'approved' and kind = 'reversal') = (reversal_seq is not null)),
    add constraint approval_decisions_kind foreign key (book_id, approval_id, kind) references approvals (book_id, id, kind);
alter table approval_decisions alter column kind drop default;
-- +goose StatementEnd
