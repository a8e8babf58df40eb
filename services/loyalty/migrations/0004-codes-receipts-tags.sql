-- Tags by their programmes' snapshots; what a snapshot no longer names is revoked. Counters outlive snapshots.
create table tag (
  uid text primary key,
  store_id uuid not null,
  key_version text not null,
  revoked boolean not null,
  last_counter integer not null default -1
);
create index tag_of_store on tag (store_id);
insert into tag (uid, store_id, key_version, revoked)
select upper(t ->> 'uid'), p.store_id, t ->> 'key_version', (t ->> 'revoked')::boolean
from programme p, jsonb_array_elements(coalesce(p.settings -> 'tags', '[]')) t
on conflict (uid) do nothing;
update programme set settings = settings - 'tags';

-- Taps that were used, online or off: each counts once.
create table nfc_tap (
  tag_uid text not null,
  counter integer not null,
  used_at timestamptz not null,
  primary key (tag_uid, counter)
);

-- A code itself is nowhere: it is drawn from the secret and the id, and found by its hash.
create table stamp_code (
  id uuid primary key,
  hash bytea not null,
  store_id uuid not null,
  customer_id uuid,
  source text not null,
  proved boolean not null,
  -- A keyed hash of what the device said of itself.
  device bytea,
  location_info text,
  tag_uid text,
  counter integer,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint stamp_codes_tell_apart unique (hash),
  constraint one_code_for_a_tap unique (tag_uid, counter)
);
create index stamp_code_of_customer on stamp_code (store_id, customer_id, created_at) where customer_id is not null;
create index stamp_code_by_age on stamp_code (expires_at);

alter table stamp add column code_id uuid, add column receipt_id text;
alter table stamp
  add constraint one_stamp_for_a_code unique (code_id),
  add constraint one_stamp_for_a_receipt unique (customer_id, receipt_id);
-- The daily limit counts a customer's stamps on one day.
create index stamp_of_customer_by_day on stamp (store_id, customer_id, created_at);
create index store_by_code on store (upper(code));
