-- +goose Up
-- +goose StatementBegin
-- What was asked of a gateway stays as it was asked: only how far it is changes.

create function payment_call_stays() returns trigger language plpgsql as $$
begin
    if (new.book_id, new.id, new.payment_id, new.command, new.n, new.amount_minor, new.key, new.content, new.reason, new.approval_id, new.user_id, new.request_id,
        new.address, new.created_at)
       is distinct from (old.book_id, old.id, old.payment_id, old.command, old.n, old.amount_minor, old.key, old.content, old.reason, old.approval_id, old.user_id,
        old.request_id, old.address, old.created_at) then
        raise exception 'what was asked of a gateway, call %, stays as it is', old.id using errcode = 'DB001';
    end if;
    return new;
end $$;
create trigger payment_calls_stay before update on payment_calls for each row execute function payment_call_stays();
alter table payment_calls enable always trigger payment_calls_stay;
-- +goose StatementEnd
