-- +goose Up
-- +goose StatementBegin
-- A proof asks which matches have a posting that a period's end, or a matching, has not seen: few of many. What a match holds never
-- changes, so the last day and number of its postings stand with it.

alter table matches add column last_effective_on date, add column last_seq bigint;
comment on column matches.last_seq is 'The last entry of its postings, and in last_effective_on their last day; null for a match that holds none.';
alter table matches disable trigger matches_kept;
update matches m
   set (last_effective_on, last_seq) = (select max(e.effective_on), max(e.seq) from match_postings i join entries e on e.book_id = i.book_id and e.seq = i.seq
                                         where i.book_id = m.book_id and i.match_id = m.id);
alter table matches enable always trigger matches_kept;
create index matches_by_last_day on matches (book_id, reconciliation_id, last_effective_on) where live;
create index matches_by_last_seq on matches (book_id, reconciliation_id, last_seq) where live;
-- +goose StatementEnd
