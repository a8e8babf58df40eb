-- What the directory says, as far as loyalty goes. Of each thing the newest version is kept.
create table store (
  id uuid primary key,
  version bigint not null,
  code text not null,
  name text not null,
  currency text not null,
  time_zone text not null,
  live boolean not null,
  branding jsonb not null
);

create table programme (
  store_id uuid primary key,
  version bigint not null,
  enabled boolean not null,
  goal integer not null check (goal > 0),
  reward_title text not null,
  reward_unlock_message text,
  reward jsonb not null,
  voucher_type text not null,
  voucher_days integer not null,
  stamps_per_order integer not null,
  min_spend_pence integer not null,
  daily_stamp_limit integer not null,
  monthly_stamp_quota integer,
  plan_key text not null,
  settings jsonb not null
);

create table customer (
  id uuid primary key,
  version bigint not null,
  name text,
  email text,
  phone text,
  identity_user_id text,
  memberships jsonb not null
);

-- A customer's stamps at one store. Every change locks this row, and its version counts the changes that were told.
create table card (
  store_id uuid not null,
  customer_id uuid not null,
  version bigint not null default 0,
  -- Stamps to be paid back before new ones count: their voucher was used and its order refunded.
  debt integer not null default 0 check (debt >= 0),
  order_count integer not null default 0,
  created_at timestamptz not null default now(),
  last_visit_at timestamptz,
  primary key (store_id, customer_id)
);

create table voucher (
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  code text not null,
  reward_title text,
  voucher_type text,
  reward jsonb not null,
  status text not null check (status in ('active', 'reserved', 'redeemed', 'expired', 'voided')),
  reserved_by uuid,
  reserved_until timestamptz,
  redeemed_by_order uuid,
  redeemed_at timestamptz,
  expires_at timestamptz not null,
  minted_at timestamptz not null,
  constraint voucher_codes_tell_apart unique (store_id, code)
);
create index voucher_of_card on voucher (store_id, customer_id) where status in ('active', 'reserved');
create index voucher_reservations on voucher (reserved_until) where status = 'reserved';
create index voucher_to_expire on voucher (expires_at) where status = 'active';

create table stamp (
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid,
  status text not null check (status in ('pending', 'approved', 'rejected', 'undone', 'reversed')),
  source text not null,
  order_id uuid,
  n integer,
  grant_key text,
  voucher_id uuid references voucher,
  -- Spent on a debt rather than on a reward.
  paid_debt boolean not null default false,
  created_at timestamptz not null,
  approved_at timestamptz,
  constraint one_stamp_for_a_place_in_an_order unique (order_id, n),
  constraint one_stamp_for_a_grant unique (store_id, grant_key)
);
create index stamp_unconsumed on stamp (store_id, customer_id, created_at, id) where status = 'approved' and voucher_id is null and not paid_debt;
create index stamp_by_day on stamp (store_id, created_at);

-- What is known of an order, whichever of its events came first.
create table order_ledger (
  order_id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  paid boolean not null default false,
  paid_pence integer not null default 0,
  refunded_pence integer not null default 0,
  refund_sequence bigint not null default 0,
  awarded boolean not null default false,
  reversed boolean not null default false,
  award jsonb,
  constraint never_refunded_beyond_what_was_paid check (refunded_pence >= 0)
);
create index order_ledger_of_card on order_ledger (store_id, customer_id) where paid;
