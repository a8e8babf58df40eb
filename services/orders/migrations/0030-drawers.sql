-- A cash drawer of a store, from its opening with a float to its count. `expected_pence` is what should have been in it when it was counted.
create table drawer (
  id uuid primary key,
  store_id uuid not null,
  float_pence integer not null check (float_pence >= 0),
  opened_at timestamptz not null,
  opened_by_id text not null,
  opened_by_name text,
  closed_at timestamptz,
  closed_by_id text,
  closed_by_name text,
  -- The request that closed it: a repeat finds it.
  close_key uuid,
  counted_pence integer check (counted_pence >= 0),
  expected_pence integer,
  difference_pence integer generated always as (counted_pence - expected_pence) stored,
  note text,
  constraint a_closed_drawer_is_counted check (num_nonnulls(closed_at, closed_by_id, close_key, counted_pence, expected_pence) in (0, 5))
);
create unique index one_open_drawer_of_a_store on drawer (store_id) where closed_at is null;
create index drawer_of_store on drawer (store_id, opened_at desc, id desc);

-- Cash that was taken out of a drawer for something else than change or a refund.
create table drawer_pay_out (
  id uuid primary key,
  drawer_id uuid not null references drawer (id),
  store_id uuid not null,
  amount_pence integer not null check (amount_pence > 0),
  reason text not null,
  at timestamptz not null,
  by_id text not null,
  by_name text
);
create index pay_out_of_drawer on drawer_pay_out (drawer_id, at);

-- The drawer that cash came into or went out of; null where none was open, and for any other tender.
alter table ledger add column drawer_id uuid;
