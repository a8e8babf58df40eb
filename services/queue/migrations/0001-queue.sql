-- Copies of what the directory publishes: the newest version of each object is kept, whenever it arrives.
create table store (
  id uuid primary key,
  version bigint not null,
  name text not null,
  time_zone text not null,
  hours jsonb not null,
  live boolean not null,
  walk_ins_accepted boolean not null,
  called_hold_minutes smallint not null check (called_hold_minutes between 1 and 30),
  -- Dated exceptions to the opening hours, and a pause. Empty until a snapshot brings them.
  closures jsonb not null default '[]',
  paused_until timestamptz,
  bookings_accepted boolean not null default false,
  booking_notice_minutes integer not null default 120,
  no_shows_allowed smallint,
  no_show_months smallint not null default 6
);

-- A store's services and chairs, in the store's order. They are read together and whole, so they are one row.
create table floor (
  store_id uuid primary key,
  version bigint not null,
  services jsonb not null,
  units jsonb not null,
  -- The key of the address hashes of guests: each store has its own.
  address_key uuid default gen_random_uuid()
);

-- Names of customers as the directory publishes them, for the store's board and log.
create table customer (
  id uuid primary key,
  version bigint not null,
  name text
);

-- The staff's switch of walk-ins. Snapshots of the directory do not touch it, and it ends by itself: the reader compares `until`.
create table walk_ins (
  store_id uuid primary key,
  open boolean not null,
  -- Null for a switch that lasts until the next one.
  until timestamptz,
  by_id text not null,
  by_name text,
  changed_at timestamptz not null
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
-- A day of the diary is read as one: its bookings and seats, whether they have ended or not.
create index booking_by_day on booking (store_id, starts_at);

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
  -- Who at the store made the last change; null when the owner of the place or the time made it.
  by_id text,
  by_name text,
  -- The status before it ended: reopening returns to it. Null for an entry that has not ended.
  ended_from text,
  -- When its end was undone, which happens once.
  reopened_at timestamptz,
  -- By how many minutes a chair was offered later than quoted, rounded up and below 0 for early. Null while none was offered.
  late_min integer,
  -- The tenth and the ninetieth percentile of late_min when the wait was quoted. Null when too few quotes were known.
  quoted_spread integer[],
  -- A keyed hash of the address from which a guest joined, while the entry waits and no one at the store has confirmed it; else null.
  address_hash text,
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
-- The entries of a store in the order of joining, ended ones too: how well the quoted waits were kept is read from the index alone.
create index entry_by_day on entry (store_id, joined_at) include (late_min);
-- An entry is found by the booking that it became.
create index entry_of_appointment on entry (appointment_id) where appointment_id is not null;

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
create index seat_by_day on seat (store_id, starts_at);
create index seat_of_entry on seat (entry_ref);

-- Lets an exclusion constraint compare chairs. The operator class for a uuid itself is in the extension btree_gist, which the owner of a
-- prepared schema may not create.
create type unit_range as range (subtype = uuid);

-- A time of a chair: of an appointment, which one party has, or of a class. The queue's own part of the diary, as seat is for walk-ins.
create table session (
  id uuid primary key,
  store_id uuid not null,
  unit_id uuid not null,
  service_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- When the chair is free again: the minutes that it needs after the service are in it.
  free_at timestamptz not null,
  places smallint not null check (places between 1 and 200),
  taken smallint not null default 0,
  state text not null default 'open' check (state in ('open', 'done', 'cancelled')),
  -- Someone is in the chair, so it is taken until they leave, whatever the time.
  started boolean not null default false,
  -- The sequence of the last event published about the class; 0 for an appointment.
  event_sequence integer not null default 0,
  constraint session_takes_time check (starts_at < ends_at and ends_at <= free_at),
  constraint session_has_place check (taken between 0 and places),
  constraint one_session_of_a_chair exclude using gist (unit_range(unit_id, unit_id, '[]') with &&, tstzrange(starts_at, free_at) with &&)
    where (state = 'open')
);
create index session_ahead on session (store_id, free_at);
create index session_by_day on session (store_id, starts_at);

-- A booking of a session. Every change locks the store's row of floor first, then sessions and their bookings.
create table session_booking (
  -- The id that events and operators use; they call it booking_ref.
  id uuid primary key,
  -- A guest's only credential: random, stored only here and in the entry that became it, and sent only to the guest.
  appointment_id uuid not null unique,
  session_id uuid not null references session (id),
  store_id uuid not null,
  customer_id uuid,
  guest_name text,
  guest_phone text,
  -- A keyed hash of the address from which a guest booked, while it is ahead and no one at the store has changed it.
  address_hash text,
  party_size smallint not null check (party_size between 1 and 8),
  status text not null check (status in ('requested', 'booked', 'arrived', 'done', 'cancelled', 'no_show')),
  made_at timestamptz not null,
  ended_at timestamptz,
  -- The status before it ended: an undone end returns to it.
  ended_from text,
  -- Who at the store made the last change; null when its owner made it.
  by_id text,
  by_name text,
  event_sequence integer not null default 0,
  constraint ended_when_over check ((status in ('requested', 'booked', 'arrived')) = (ended_at is null))
);
create index session_booking_of_session on session_booking (session_id);
create index session_booking_of_customer on session_booking (customer_id, made_at desc) where customer_id is not null;
create index session_booking_by_address on session_booking (store_id, address_hash) where address_hash is not null;
create index session_booking_by_phone on session_booking (store_id, guest_phone) where guest_phone is not null and ended_at is null;
create index session_booking_naming_guest on session_booking (ended_at) where guest_name is not null or guest_phone is not null;

-- Every change of an entry or a booking and every switch of walk-ins, by whom. It names no guest: a name is read from the entry while that
-- has one. The changes of places in a store's queue are a chain: a row has the hash of itself and of the hash before, so that a place that
-- is moved later shows. Other rows are no part of it. `status` and `place` are the entry's status and joined_at after the change.
create table log_entry (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  -- Null for a booking and for a switch of walk-ins.
  entry_ref uuid references entry (id),
  at timestamptz not null,
  kind text not null,
  by_id text,
  by_name text,
  -- The reason that was typed.
  detail text,
  -- Until when walk-ins were switched off.
  until timestamptz,
  number bigint,
  status text,
  place timestamptz,
  hash bytea,
  booking_ref uuid
);
alter table log_entry add constraint log_entry_kind_check check (kind in (
  'joined', 'confirmed', 'claimed', 'called', 'recalled', 'assigned', 'completed', 'no_show', 'converted', 'left', 'cleared', 'reopened',
  'call_lapsed', 'closed', 'abandoned', 'walk_ins_on', 'walk_ins_off', 'booking_made', 'booking_confirmed', 'booking_moved',
  'booking_cancelled', 'booking_arrived', 'booking_done', 'booking_no_show', 'booking_reopened', 'class_made', 'class_changed',
  'class_cancelled')) not valid;
create index log_entry_of_store on log_entry (store_id, at desc, id desc);
create unique index log_entry_of_chain on log_entry (store_id, number) where number is not null;

-- Nothing that names an erased customer is written again: see the chassis' table erased_customer.
create trigger refuse_erased before insert or update of customer_id on entry for each row execute function refuse_erased();
create trigger refuse_erased before insert or update of customer_id on session_booking for each row execute function refuse_erased();
create trigger skip_erased_customer before insert or update on customer for each row execute function skip_erased_customer();

-- Tables that replies to polls are made of note what they change: see decision 13.
create trigger note_change after insert or update or delete on entry for each row execute function note_change('store', 'customer');
create trigger note_change after insert or update or delete on seat for each row execute function note_change('store');
create trigger note_change after insert or update or delete on booking for each row execute function note_change('store');
create trigger note_change after insert or update or delete on floor for each row execute function note_change('store');
create trigger note_change after insert or update or delete on walk_ins for each row execute function note_change('store');
create trigger note_change after insert or update or delete on store for each row execute function note_change('shared');
create trigger note_change after insert or update or delete on customer for each row execute function note_change('customer row');
create trigger note_change after insert or update or delete on session for each row execute function note_change('store');
-- The end of the chain is in replies to polls.
create trigger note_change after insert or update or delete on log_entry for each row execute function note_change('store');
