-- Who may vouch for several stamps at once: staff by their newest snapshot. A card is here by its hash, with the store it is good at.
create table staff (
  id uuid primary key,
  version bigint not null,
  stores uuid[] not null,
  cards text[] not null,
  revoked_sessions text[] not null
);
create index staff_by_card on staff using gin (cards);

create table multi_stamp_request (
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  requested_stamps integer not null check (requested_stamps > 0),
  status text not null check (status in ('pending', 'confirmed', 'cancelled', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  resolved_at timestamptz,
  -- The member of staff who vouched, and what was answered, for whoever asks again.
  confirmed_by uuid,
  stamp_count integer,
  goal integer,
  voucher_ids uuid[],
  constraint resolved_when_no_longer_pending check ((status = 'pending') = (resolved_at is null))
);
create unique index one_pending_multi_stamp on multi_stamp_request (store_id, customer_id) where status = 'pending';
create index multi_stamp_of_card on multi_stamp_request (store_id, customer_id, created_at);
create index multi_stamp_to_expire on multi_stamp_request (expires_at) where status = 'pending';
create index multi_stamp_to_drop on multi_stamp_request (resolved_at) where status in ('cancelled', 'expired');

alter table stamp add column request_id uuid;
create unique index one_stamp_for_a_place_in_a_request on stamp (request_id, n) where request_id is not null;
-- Which stamps are behind a voucher.
create index stamp_of_voucher on stamp (voucher_id) where voucher_id is not null;

-- While a bank disputes what an order cost, the vouchers its stamps are behind are held.
alter table order_ledger add column disputed boolean not null default false, add column dispute_sequence bigint not null default 0;

-- A keyed hash of who asked under which Idempotency-Key: a repeat finds its code by it.
alter table stamp_code add column asked_by bytea;
create unique index one_code_for_a_key on stamp_code (asked_by) where asked_by is not null;
