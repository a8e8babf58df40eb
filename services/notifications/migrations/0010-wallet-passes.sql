-- What a store's passes look like: its name and colours, and its programme. Each of the two snapshots has its own version.
create table pass_design (
  store_id uuid primary key,
  store_version bigint not null default 0,
  name text,
  logo_url text,
  background text,
  programme_version bigint not null default 0,
  goal integer,
  reward_title text
);

-- A card's stamps as the newest event that counts them has it.
create table pass_card (
  customer_id uuid not null,
  store_id uuid not null,
  sequence bigint not null,
  stamps integer not null,
  goal integer not null,
  primary key (customer_id, store_id)
);

-- A card's vouchers, each as its newest event has it. A voucher takes a goal's stamps off the count that was told before it was minted.
create table pass_voucher (
  voucher_id uuid primary key,
  customer_id uuid not null,
  store_id uuid not null,
  sequence bigint not null,
  minted_sequence bigint,
  reward_title text,
  state text not null check (state in ('active', 'redeemed', 'voided', 'expired'))
);
create index pass_voucher_by_card on pass_voucher (customer_id, store_id);

-- A pass somebody asked for. One a card, one a voucher.
create table pass (
  serial uuid primary key,
  kind text not null check (kind in ('stamp_card', 'voucher')),
  customer_id uuid not null,
  store_id uuid not null,
  voucher_id uuid,
  -- What a device proves itself with. It is inside the pass, and so in every later edition of it.
  auth_token text not null,
  -- Whole seconds, each edition later than the one before: it is told apart by its HTTP date.
  modified_at timestamptz not null,
  -- Since when a change waits to be told to devices; null when none does.
  changed_at timestamptz,
  -- The number under which its last change was told: devices ask what is beyond the last they know.
  updated_seq bigint not null default 0,
  constraint pass_once unique nulls not distinct (customer_id, store_id, voucher_id),
  constraint pass_of_its_kind check ((kind = 'voucher') = (voucher_id is not null))
);
create index pass_by_store on pass (store_id);
create index pass_by_change on pass (changed_at) where changed_at is not null;

-- Counts tellings. Its row is locked while a number is given out, so that numbers become visible in their order.
create table pass_count (
  only_one boolean primary key default true check (only_one),
  seq bigint not null default 0
);
insert into pass_count default values;

-- Devices that asked to be told when a pass has changed.
create table pass_device (
  device_id text not null,
  serial uuid not null references pass,
  push_token text not null,
  primary key (device_id, serial)
);
create index pass_device_by_serial on pass_device (serial);

-- A pass whose change a wallet has still to be told. `wanted` counts changes, so that one that comes while another is told is told too.
create table pass_notice (
  serial uuid not null references pass,
  wallet text not null check (wallet in ('apple', 'google')),
  wanted bigint not null default 1,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  -- Set when it was given up; the next change begins anew.
  gave_up_at timestamptz,
  primary key (serial, wallet)
);
create index pass_notice_by_due on pass_notice (due_at) where gave_up_at is null;
