-- +goose Up
-- +goose StatementBegin
-- People attach files to a break as evidence. A file stays for ever, as it came, with its hash; that it was attached is a step of the break's
-- history. Nothing takes one back: what an auditor may have seen stays readable.

create table break_attachments (
    book_id      bigint      not null,
    id           bigint      not null,
    break_id     bigint      not null,
    name         text        not null,
    content_type text        not null,
    size_bytes   integer     not null,
    hash         bytea       not null,
    content      bytea       not null,
    user_id      bigint      not null,
    at           timestamptz not null,
    constraint break_attachments_pkey primary key (book_id, id),
    constraint break_attachments_of_break unique (book_id, break_id, id),
    constraint break_attachments_break foreign key (book_id, break_id) references breaks (book_id, id),
    constraint break_attachments_user foreign key (user_id) references users (id),
    constraint break_attachments_name_length check (char_length(name) between 1 and 200),
    constraint break_attachments_size check (size_bytes = octet_length(content) and size_bytes between 1 and 5242880),
    constraint break_attachments_hash check (hash = sha256(content))
);
comment on column break_attachments.content_type is 'What the first bytes look like, whatever the name or the sender said.';
-- Files are mostly packed already.
alter table break_attachments alter column content set storage external;
create trigger break_attachments_no_change before update or delete on break_attachments for each row execute function refuse_change('an attachment');
create trigger break_attachments_no_truncate before truncate on break_attachments execute function refuse_change('an attachment');
alter table break_attachments enable always trigger break_attachments_no_change;
alter table break_attachments enable always trigger break_attachments_no_truncate;

alter table break_events
    add column attachment_id bigint,
    drop constraint break_events_event,
    add constraint break_events_event check (event in ('found', 'carried', 'resolved', 'reopened', 'assigned', 'commented', 'superseded', 'returned', 'requested', 'reduced',
        'attached')),
    add constraint break_events_attachment foreign key (book_id, break_id, attachment_id) references break_attachments (book_id, break_id, id),
    add constraint break_events_attached check ((event = 'attached') = (attachment_id is not null));
-- +goose StatementEnd
