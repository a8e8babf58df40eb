-- Copies of what the directory publishes: the newest version of each object is kept, whenever it arrives.
create table store (
  id uuid primary key,
  version bigint not null,
  name text not null,
  time_zone text not null,
  hours jsonb not null,
  live boolean not null,
  walk_ins_accepted boolean not null,
  called_hold_minutes smallint not null check (called_hold_minutes between 1 and 30)
);

-- A store's services and chairs, in the store's order. They are read together and whole, so they are one row.
create table floor (
  store_id uuid primary key,
  version bigint not null,
  services jsonb not null,
  units jsonb not null
);

-- The diary: appointments, which take a chair's time beside the queue.
create table booking (
  id uuid primary key,
  version bigint not null,
  store_id uuid not null,
  unit_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  state text not null check (state in ('booked', 'started', 'done', 'cancelled'))
);
create index booking_ahead on booking (store_id, ends_at) where state in ('booked', 'started');

-- A place in a store's queue. Every change locks the store's row of floor first, then entries.
create table entry (
  -- The id that events and operators use; they call it entry_ref.
  id uuid primary key,
  -- A guest's only credential: random, stored only here, and sent only to the guest.
  entry_id uuid not null unique,
  store_id uuid not null,
  customer_id uuid,
  guest_name text,
  guest_phone text,
  service_id uuid,
  preferred_unit_id uuid,
  party_size smallint not null check (party_size between 1 and 8),
  status text not null check (status in ('waiting', 'called', 'assigned', 'completed', 'left', 'no_show', 'converted_to_appointment')),
  joined_at timestamptz not null,
  called_at timestamptz,
  hold_until timestamptz,
  quoted_wait_min integer not null,
  appointment_id uuid,
  ended_at timestamptz,
  -- The sequence of the last event published about the entry.
  event_sequence integer not null default 0,
  constraint held_while_called check ((status = 'called') = (hold_until is not null)),
  constraint ended_when_not_in_queue check ((status in ('waiting', 'called', 'assigned')) = (ended_at is null))
);
-- One place for a customer in a store, however many phones join at once.
create unique index entry_one_place on entry (store_id, customer_id) where status in ('waiting', 'called', 'assigned');
-- The order of the queue. No two entries of a store joined at the same instant.
create unique index entry_order on entry (store_id, joined_at) where status in ('waiting', 'called', 'assigned');
-- Ended entries that still name a guest. There are few: a job removes the name within a day.
create index entry_naming_guest on entry (ended_at) where guest_name is not null or guest_phone is not null;
-- Operators look for a customer's entries.
create index entry_of_customer on entry (customer_id, joined_at desc) where customer_id is not null;

-- The chairs that an entry was given: the queue's own part of the diary.
create table seat (
  appointment_id uuid not null,
  -- Refers to entry.id, not to the credential entry.entry_id.
  entry_ref uuid not null references entry (id),
  store_id uuid not null,
  unit_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  freed_at timestamptz,
  primary key (appointment_id, unit_id, starts_at)
);
create index seat_taken on seat (store_id, ends_at) where freed_at is null;
create index seat_of_entry on seat (entry_ref);
