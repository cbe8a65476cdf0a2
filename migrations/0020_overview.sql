-- +goose Up
-- +goose StatementBegin
-- The overview asks on every view for what is open, since when, and what happened lately: what a break is about never changes, so its
-- earliest day stands with it, and each of the questions has an index.

alter table breaks add column since date;
comment on column breaks.since is 'The day of its earliest line or posting; null for a break that holds none.';
update breaks b
   set since = least((select min(l.booked_on) from break_lines i join statement_lines l on l.book_id = i.book_id and l.id = i.line_id
                       where i.book_id = b.book_id and i.break_id = b.id),
                     (select min(e.effective_on) from break_postings i join entries e on e.book_id = i.book_id and e.seq = i.seq
                       where i.book_id = b.book_id and i.break_id = b.id));

drop index breaks_open;
create index breaks_open on breaks (book_id, account_id, since) include (type, first_seen_on, id) where live and status <> 'resolved';
create index break_events_by_time on break_events (book_id, at);
create index reconciliations_by_end on reconciliations (book_id, account_id, scope_to, id);
create index matches_reversed on matches (book_id, account_id, id) where live and kind = 'reversed_pair';
-- +goose StatementEnd
