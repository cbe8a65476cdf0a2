-- +goose Up
-- +goose StatementBegin
-- A key can be held while its owner's work goes on outside of any transaction: with owner and lease, and settled later. The attempt
-- (attempts) and the owner fence off one that comes back late. An abandoned key is free, so it has no row.

alter table idempotency_keys alter column settled_at drop not null;
alter table idempotency_keys add column claimed_at timestamptz;
alter table idempotency_keys add column owner text;
alter table idempotency_keys add column lease_until timestamptz;
alter table idempotency_keys add column heartbeat_at timestamptz;
comment on column idempotency_keys.settled_at is 'NULL while its owner is at work: a live claim.';
comment on column idempotency_keys.claimed_at is 'When the owner of this attempt took the key; NULL for a key that was claimed and settled in one transaction.';
comment on column idempotency_keys.lease_until is 'When the key passes to an heir unless its owner is heard from; NULL once it is settled.';

alter table idempotency_keys add constraint idempotency_keys_claimed_by check ((claimed_at is null) = (owner is null));
alter table idempotency_keys add constraint idempotency_keys_live_is_leased
    check (settled_at is not null or (claimed_at is not null and lease_until is not null and heartbeat_at is not null));
alter table idempotency_keys add constraint idempotency_keys_live_has_no_receipt
    check (settled_at is not null or (seq is null and receipt is null));
alter table idempotency_keys add constraint idempotency_keys_settled_has_no_lease
    check (settled_at is null or (lease_until is null and heartbeat_at is null));
alter table idempotency_keys add constraint idempotency_keys_attempts check (attempts >= 1);
create index idempotency_keys_live on idempotency_keys (book_id, claimed_at) where settled_at is null;

update app_rights
   set may = 'update (receipt, replays, attempts, used_by, claimed_at, owner, lease_until, heartbeat_at, settled_at, expires_at), delete'
 where table_name = 'idempotency_keys';
-- +goose StatementEnd
