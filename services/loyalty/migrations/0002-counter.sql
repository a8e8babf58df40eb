-- Who at the store granted, reviewed or undid the stamp last. Null when no one there did.
alter table stamp add column by_id text;
alter table stamp add column by_name text;

-- Who at the store redeemed the voucher at the counter. Null for one that an order used.
alter table voucher add column redeemed_by_id text;
alter table voucher add column redeemed_by_name text;

-- The name that the log shows. Null until the next snapshot of the member of staff.
alter table staff add column name text;

-- What people at the store did to its cards. It names no customer: a name is read from the customer.
create table log_entry (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('granted', 'undone', 'approved', 'rejected', 'redeemed', 'confirmed')),
  by_id text not null,
  by_name text,
  -- Null for the stamp of a guest.
  customer_id uuid,
  stamp_id uuid references stamp (id),
  voucher_id uuid references voucher (id),
  -- How many stamps it is about.
  stamps integer not null
);
create index log_entry_of_store on log_entry (store_id, at desc, id desc);
