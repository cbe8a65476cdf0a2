-- +goose Up
-- +goose StatementBegin
-- A server that posts remembers who acts by which token, as it remembers accounts: what changes that raises the version of the books too.
create function raise_versions_of_user() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    perform from public.book_versions v
      where v.book_id in (select r.book_id from public.user_roles r where r.user_id = old.id) order by v.book_id for no key update;
    update public.book_versions v set version = version + 1
     where v.book_id in (select r.book_id from public.user_roles r where r.user_id = old.id);
    return null;
end $$;
create function raise_version_of_book() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    update public.book_versions set version = version + 1 where book_id = old.id;
    return null;
end $$;
create trigger tokens_version after delete or update of book_id, user_id, token_hash, rights, expires_at, revoked_at on tokens
    for each row execute function raise_book_version();
create trigger user_roles_version after insert or update or delete on user_roles for each row execute function raise_book_version();
create trigger users_version after update of email, name, disabled_at on users for each row execute function raise_versions_of_user();
create trigger books_version after update on books for each row execute function raise_version_of_book();
alter table tokens enable always trigger tokens_version;
alter table user_roles enable always trigger user_roles_version;
alter table users enable always trigger users_version;
alter table books enable always trigger books_version;
comment on table book_versions is
    'Goes up whenever something that entries are judged by changes and the head stays: accounts, periods, kept totals that are rebuilt, who may post.';
-- +goose StatementEnd
