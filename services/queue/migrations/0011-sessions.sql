-- What a store's settings say of bookings. Empty until its next snapshot.
alter table store add column bookings_accepted boolean not null default false;
alter table store add column booking_notice_minutes integer not null default 120;
alter table store add column no_shows_allowed smallint;
alter table store add column no_show_months smallint not null default 6;

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
create trigger refuse_erased before insert or update of customer_id on session_booking for each row execute function refuse_erased();

-- A booking is named as an entry is.
alter table log_entry add column booking_ref uuid;
-- allowed: the constraint that follows permits all that this one does, and kinds of bookings
alter table log_entry drop constraint log_entry_kind_check;
alter table log_entry add constraint log_entry_kind_check check (kind in (
  'joined', 'confirmed', 'claimed', 'called', 'recalled', 'assigned', 'completed', 'no_show', 'converted', 'left', 'cleared', 'reopened',
  'call_lapsed', 'closed', 'abandoned', 'walk_ins_on', 'walk_ins_off', 'booking_made', 'booking_confirmed', 'booking_moved',
  'booking_cancelled', 'booking_arrived', 'booking_done', 'booking_no_show', 'booking_reopened', 'class_made', 'class_changed',
  'class_cancelled')) not valid;

-- Waits are made of it: see decision 13.
create trigger note_change after insert or update or delete on session for each row execute function note_change('store');
