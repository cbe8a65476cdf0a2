-- +goose Up
-- +goose StatementBegin
-- How each person wants numbers, dates and pages to look. A person without a row has the house's way.

create table preferences (
    user_id    bigint      not null,
    numbers    text        not null,
    negatives  text        not null,
    dates      text        not null,
    density    text        not null,
    theme      text        not null,
    changed_at timestamptz not null,
    constraint preferences_pkey primary key (user_id),
    constraint preferences_user foreign key (user_id) references users (id),
    constraint preferences_numbers check (numbers in ('comma-point', 'point-comma', 'space-comma', 'apostrophe-point')),
    constraint preferences_negatives check (negatives in ('parentheses', 'minus')),
    constraint preferences_dates check (dates in ('yyyy-mm-dd', 'dd-mm-yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy', 'dd.mm.yyyy')),
    constraint preferences_density check (density in ('compact', 'normal', 'relaxed')),
    constraint preferences_theme check (theme in ('light', 'dark', 'system'))
);
comment on table preferences is 'How a person wants pages to look. Nothing that is stored or exported follows it.';

insert into app_rights (table_name, may) values ('preferences', 'update (numbers, negatives, dates, density, theme, changed_at)');
-- +goose StatementEnd
