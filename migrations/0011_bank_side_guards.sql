-- +goose Up
-- +goose StatementBegin
-- What the bank sent is not changed either, by anyone: of a stored statement and its matches only the mark changes that takes it back.

create function refuse_change_but() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' or to_jsonb(new) - tg_argv[1] <> to_jsonb(old) - tg_argv[1] then
        raise exception '% is kept as it was: % is refused', tg_argv[0], lower(tg_op) using errcode = 'DB001';
    end if;
    return new;
end $$;

create trigger statements_kept before update or delete on statements for each row execute function refuse_change_but('a statement', 'undone_at');
create trigger statement_lines_kept before update or delete on statement_lines for each row execute function refuse_change_but('a statement line', 'undone');
create trigger statement_rows_kept before update or delete on statement_rows for each row execute function refuse_change_but('a row of a statement', '');
create trigger matches_kept before update or delete on matches for each row execute function refuse_change_but('a match', 'live');
create trigger match_lines_kept before update or delete on match_lines for each row execute function refuse_change_but('a match', 'live');
create trigger match_postings_kept before update or delete on match_postings for each row execute function refuse_change_but('a match', 'live');
create trigger break_lines_kept before update or delete on break_lines for each row execute function refuse_change_but('a break', 'live');
create trigger break_postings_kept before update or delete on break_postings for each row execute function refuse_change_but('a break', 'live');
create trigger statements_no_truncate before truncate on statements execute function refuse_change('a statement');
create trigger statement_lines_no_truncate before truncate on statement_lines execute function refuse_change('a statement line');
create trigger matches_no_truncate before truncate on matches execute function refuse_change('a match');

alter table statements enable always trigger statements_kept;
alter table statement_lines enable always trigger statement_lines_kept;
alter table statement_rows enable always trigger statement_rows_kept;
alter table matches enable always trigger matches_kept;
alter table match_lines enable always trigger match_lines_kept;
alter table match_postings enable always trigger match_postings_kept;
alter table break_lines enable always trigger break_lines_kept;
alter table break_postings enable always trigger break_postings_kept;
alter table statements enable always trigger statements_no_truncate;
alter table statement_lines enable always trigger statement_lines_no_truncate;
alter table matches enable always trigger matches_no_truncate;
-- +goose StatementEnd
