-- What the directory says of stores and customers, as far as notifications go. The newest version wins, whenever it arrives.
create table store (
  id uuid primary key,
  version bigint not null,
  name text not null
);

create table customer (
  id uuid primary key,
  version bigint not null,
  name text,
  email text,
  push_devices jsonb not null
);

-- The stores a customer has had dealings with: each has a line in the list of preferences.
create table interaction (
  customer_id uuid not null,
  store_id uuid not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (customer_id, store_id)
);

-- What a customer wants to hear of a store. No row means the defaults.
create table preference (
  customer_id uuid not null,
  store_id uuid not null,
  messages_muted boolean not null default false,
  class_reminders boolean not null default true,
  class_events_enabled boolean not null default true,
  voucher_events_enabled boolean not null default true,
  stamp_events_enabled boolean not null default true,
  membership_events_enabled boolean not null default true,
  penalty_events_enabled boolean not null default true,
  marketing_enabled boolean not null default false,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, store_id)
);

-- How often a customer has been asked about a store's marketing. Nobody is asked a third time.
create table marketing_ask (
  customer_id uuid not null,
  store_id uuid not null,
  asks smallint not null default 0 check (asks between 0 and 2),
  primary key (customer_id, store_id)
);
