-- +goose Up
-- +goose StatementBegin
-- Who rebuilds kept totals tells the servers that remember them, by raising the version of the book.
insert into app_rights (table_name, may) values ('book_versions', 'update (version)');
-- +goose StatementEnd
