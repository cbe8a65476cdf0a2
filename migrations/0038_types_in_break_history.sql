-- +goose Up
-- +goose StatementBegin
-- The type of a break changes while its history must not: a step that gives a break its type says which one. Of steps of before nothing is known, as the
-- break may have been of another type then.

alter table break_events
    add column type text,
    drop constraint break_events_event,
    add constraint break_events_event check (event in ('found', 'carried', 'resolved', 'reopened', 'assigned', 'commented', 'superseded', 'returned', 'requested', 'reduced',
        'attached', 'retyped')),
    add constraint break_events_typed check (case when event = 'retyped' then type is not null else type is null or event in ('found', 'returned') end);
comment on column break_events.type is 'What the break is from this step on, where the step tells; of steps of before this column nothing is known.';

-- The page of an adjusting entry names the break that it settled.
create index break_events_by_entry on break_events (book_id, seq) where seq is not null;
-- +goose StatementEnd
