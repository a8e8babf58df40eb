-- Who is in a store's queue. Every change locks the store's row of floor first, then entries.
create table entry (
  -- The name by which events speak of it.
  id uuid primary key,
  -- A guest's only credential: random, and nowhere but here and in answers.
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
  -- Events told of it so far.
  told integer not null default 0,
  check ((status = 'called') = (hold_until is not null)),
  check ((status in ('waiting', 'called', 'assigned')) = (ended_at is null))
);
-- One place a customer and store, however many phones ask at once.
create unique index entry_one_place on entry (store_id, customer_id) where status in ('waiting', 'called', 'assigned');
-- The order of the queue. No two of a store joined at the same instant.
create unique index entry_order on entry (store_id, joined_at) where status in ('waiting', 'called', 'assigned');

-- The chairs an entry was given: its own part of the diary.
create table seat (
  appointment_id uuid not null,
  entry_id uuid not null references entry (id),
  store_id uuid not null,
  unit_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  freed_at timestamptz,
  primary key (appointment_id, unit_id, starts_at)
);
create index seat_taken on seat (store_id, ends_at) where freed_at is null;
create index seat_of_entry on seat (entry_id);
