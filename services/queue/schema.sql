-- Written by `npm run schema` from the migrations; reviewed in diffs, checked by a test, run by nothing.

create table booking (
  id uuid not null,
  version bigint not null,
  store_id uuid not null,
  unit_id uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  state text not null,
  constraint booking_pkey PRIMARY KEY (id),
  constraint booking_state_check CHECK ((state = ANY (ARRAY['booked'::text, 'started'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX booking_ahead ON booking USING btree (store_id, ends_at) WHERE (state = ANY (ARRAY['booked'::text, 'started'::text]));
CREATE INDEX booking_by_day ON booking USING btree (store_id, starts_at);

create table customer (
  id uuid not null,
  version bigint not null,
  name text,
  constraint customer_pkey PRIMARY KEY (id)
);

create table deposit (
  booking_id uuid not null,
  item_id text not null,
  pay_before timestamp with time zone not null,
  state text default 'due'::text not null,
  order_id uuid,
  constraint deposit_pkey PRIMARY KEY (booking_id),
  constraint deposit_order_id_key UNIQUE (order_id),
  constraint deposit_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES session_booking(id),
  constraint deposit_state_check CHECK ((state = ANY (ARRAY['due'::text, 'unpaid'::text, 'paid'::text, 'refunding'::text, 'refunded'::text]))),
  constraint paid_by_an_order CHECK (((state = ANY (ARRAY['due'::text, 'unpaid'::text])) = (order_id IS NULL)))
);
CREATE INDEX deposit_due ON deposit USING btree (pay_before) WHERE (state = 'due'::text);

create table entry (
  id uuid not null,
  entry_id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  guest_name text,
  guest_phone text,
  service_id uuid,
  preferred_unit_id uuid,
  party_size smallint not null,
  status text not null,
  joined_at timestamp with time zone not null,
  called_at timestamp with time zone,
  hold_until timestamp with time zone,
  quoted_wait_min integer not null,
  appointment_id uuid,
  ended_at timestamp with time zone,
  event_sequence integer default 0 not null,
  by_id text,
  by_name text,
  ended_from text,
  reopened_at timestamp with time zone,
  late_min integer,
  quoted_spread integer[],
  address_hash text,
  constraint entry_pkey PRIMARY KEY (id),
  constraint entry_entry_id_key UNIQUE (entry_id),
  constraint ended_when_not_in_queue CHECK (((status = ANY (ARRAY['waiting'::text, 'called'::text, 'assigned'::text])) = (ended_at IS NULL))),
  constraint entry_party_size_check CHECK (((party_size >= 1) AND (party_size <= 8))),
  constraint entry_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'called'::text, 'assigned'::text, 'completed'::text, 'left'::text, 'no_show'::text, 'converted_to_appointment'::text]))),
  constraint held_while_called CHECK (((status = 'called'::text) = (hold_until IS NOT NULL)))
);
CREATE INDEX entry_by_day ON entry USING btree (store_id, joined_at) INCLUDE (late_min);
CREATE INDEX entry_naming_guest ON entry USING btree (ended_at) WHERE ((guest_name IS NOT NULL) OR (guest_phone IS NOT NULL));
CREATE INDEX entry_of_appointment ON entry USING btree (appointment_id) WHERE (appointment_id IS NOT NULL);
CREATE INDEX entry_of_customer ON entry USING btree (customer_id, joined_at DESC) WHERE (customer_id IS NOT NULL);
CREATE UNIQUE INDEX entry_one_place ON entry USING btree (store_id, customer_id) WHERE (status = ANY (ARRAY['waiting'::text, 'called'::text, 'assigned'::text]));
CREATE UNIQUE INDEX entry_order ON entry USING btree (store_id, joined_at) WHERE (status = ANY (ARRAY['waiting'::text, 'called'::text, 'assigned'::text]));

create table floor (
  store_id uuid not null,
  version bigint not null,
  services jsonb not null,
  units jsonb not null,
  address_key uuid default gen_random_uuid(),
  constraint floor_pkey PRIMARY KEY (store_id)
);

create table log_entry (
  id bigint generated always as identity not null,
  store_id uuid not null,
  entry_ref uuid,
  at timestamp with time zone not null,
  kind text not null,
  by_id text,
  by_name text,
  detail text,
  until timestamp with time zone,
  number bigint,
  status text,
  place timestamp with time zone,
  hash bytea,
  booking_ref uuid,
  constraint log_entry_pkey PRIMARY KEY (id),
  constraint log_entry_entry_ref_fkey FOREIGN KEY (entry_ref) REFERENCES entry(id),
  constraint log_entry_kind_check CHECK ((kind = ANY (ARRAY['joined'::text, 'confirmed'::text, 'claimed'::text, 'called'::text, 'recalled'::text, 'assigned'::text, 'completed'::text, 'no_show'::text, 'converted'::text, 'left'::text, 'cleared'::text, 'reopened'::text, 'call_lapsed'::text, 'closed'::text, 'abandoned'::text, 'walk_ins_on'::text, 'walk_ins_off'::text, 'booking_made'::text, 'booking_confirmed'::text, 'booking_moved'::text, 'booking_cancelled'::text, 'booking_arrived'::text, 'booking_done'::text, 'booking_no_show'::text, 'booking_reopened'::text, 'class_made'::text, 'class_changed'::text, 'class_cancelled'::text, 'waitlist_joined'::text, 'waitlist_offered'::text, 'waitlist_left'::text, 'weekly_class_made'::text, 'weekly_class_changed'::text, 'weekly_class_ended'::text, 'booking_held'::text, 'booking_lapsed'::text]))) NOT VALID
);
CREATE UNIQUE INDEX log_entry_of_chain ON log_entry USING btree (store_id, number) WHERE (number IS NOT NULL);
CREATE INDEX log_entry_of_store ON log_entry USING btree (store_id, at DESC, id DESC);

create table seat (
  appointment_id uuid not null,
  entry_ref uuid not null,
  store_id uuid not null,
  unit_id uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  freed_at timestamp with time zone,
  constraint seat_pkey PRIMARY KEY (appointment_id, unit_id, starts_at),
  constraint seat_entry_ref_fkey FOREIGN KEY (entry_ref) REFERENCES entry(id),
  constraint seat_check CHECK ((ends_at > starts_at))
);
CREATE INDEX seat_by_day ON seat USING btree (store_id, starts_at);
CREATE INDEX seat_of_entry ON seat USING btree (entry_ref);
CREATE INDEX seat_taken ON seat USING btree (store_id, ends_at) WHERE (freed_at IS NULL);

create table session (
  id uuid not null,
  store_id uuid not null,
  unit_id uuid not null,
  service_id uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  free_at timestamp with time zone not null,
  places smallint not null,
  taken smallint default 0 not null,
  state text default 'open'::text not null,
  started boolean default false not null,
  event_sequence integer default 0 not null,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_has_place CHECK (((taken >= 0) AND (taken <= places))),
  constraint session_places_check CHECK (((places >= 1) AND (places <= 200))),
  constraint session_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'cancelled'::text]))),
  constraint session_takes_time CHECK (((starts_at < ends_at) AND (ends_at <= free_at))),
  constraint one_session_of_a_chair EXCLUDE USING gist (unit_range(unit_id, unit_id, '[]'::text) WITH &&, tstzrange(starts_at, free_at) WITH &&) WHERE ((state = 'open'::text))
);
CREATE INDEX session_ahead ON session USING btree (store_id, free_at);
CREATE INDEX session_by_day ON session USING btree (store_id, starts_at);

create table session_booking (
  id uuid not null,
  appointment_id uuid not null,
  session_id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  guest_name text,
  guest_phone text,
  address_hash text,
  party_size smallint not null,
  status text not null,
  made_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_from text,
  by_id text,
  by_name text,
  event_sequence integer default 0 not null,
  line_number integer,
  offer_until timestamp with time zone,
  constraint session_booking_pkey PRIMARY KEY (id),
  constraint session_booking_appointment_id_key UNIQUE (appointment_id),
  constraint session_booking_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id),
  constraint ended_when_over CHECK (((status = ANY (ARRAY['waiting'::text, 'unpaid'::text, 'requested'::text, 'booked'::text, 'arrived'::text])) = (ended_at IS NULL))) NOT VALID,
  constraint session_booking_party_size_check CHECK (((party_size >= 1) AND (party_size <= 8))),
  constraint session_booking_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'unpaid'::text, 'requested'::text, 'booked'::text, 'arrived'::text, 'done'::text, 'cancelled'::text, 'no_show'::text]))) NOT VALID,
  constraint waits_in_line CHECK ((((status <> 'waiting'::text) OR (line_number IS NOT NULL)) AND ((status = 'waiting'::text) OR (offer_until IS NULL)))) NOT VALID
);
CREATE INDEX session_booking_by_address ON session_booking USING btree (store_id, address_hash) WHERE (address_hash IS NOT NULL);
CREATE INDEX session_booking_by_phone ON session_booking USING btree (store_id, guest_phone) WHERE ((guest_phone IS NOT NULL) AND (ended_at IS NULL));
CREATE UNIQUE INDEX session_booking_line ON session_booking USING btree (session_id, line_number) WHERE (status = 'waiting'::text);
CREATE INDEX session_booking_naming_guest ON session_booking USING btree (ended_at) WHERE ((guest_name IS NOT NULL) OR (guest_phone IS NOT NULL));
CREATE INDEX session_booking_of_customer ON session_booking USING btree (customer_id, made_at DESC) WHERE (customer_id IS NOT NULL);
CREATE INDEX session_booking_of_session ON session_booking USING btree (session_id);
CREATE UNIQUE INDEX session_booking_waits_once ON session_booking USING btree (session_id, customer_id) WHERE (status = 'waiting'::text);

create table store (
  id uuid not null,
  version bigint not null,
  name text not null,
  time_zone text not null,
  hours jsonb not null,
  live boolean not null,
  walk_ins_accepted boolean not null,
  called_hold_minutes smallint not null,
  closures jsonb default '[]'::jsonb not null,
  paused_until timestamp with time zone,
  bookings_accepted boolean default false not null,
  booking_notice_minutes integer default 120 not null,
  no_shows_allowed smallint,
  no_show_months smallint default 6 not null,
  booking_deposit_item_id text,
  constraint store_pkey PRIMARY KEY (id),
  constraint store_called_hold_minutes_check CHECK (((called_hold_minutes >= 1) AND (called_hold_minutes <= 30)))
);

create type unit_range as range (subtype = uuid);

create table walk_ins (
  store_id uuid not null,
  open boolean not null,
  until timestamp with time zone,
  by_id text not null,
  by_name text,
  changed_at timestamp with time zone not null,
  constraint walk_ins_pkey PRIMARY KEY (store_id)
);

create table weekly_class (
  id uuid not null,
  store_id uuid not null,
  service_id uuid not null,
  unit_id uuid,
  days jsonb not null,
  begins text not null,
  minutes smallint not null,
  places smallint not null,
  from_date date not null,
  until_date date,
  made_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint weekly_class_pkey PRIMARY KEY (id),
  constraint weekly_class_check CHECK ((until_date >= from_date)),
  constraint weekly_class_minutes_check CHECK (((minutes >= 5) AND (minutes <= 720))),
  constraint weekly_class_places_check CHECK (((places >= 2) AND (places <= 200)))
);
CREATE INDEX weekly_class_going_on ON weekly_class USING btree (store_id, made_at) WHERE (ended_at IS NULL);

create table weekly_class_day (
  weekly_class_id uuid not null,
  day date not null,
  session_id uuid not null,
  changed_by_staff boolean default false not null,
  constraint weekly_class_day_pkey PRIMARY KEY (weekly_class_id, day),
  constraint weekly_class_day_session_id_key UNIQUE (session_id),
  constraint weekly_class_day_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id),
  constraint weekly_class_day_weekly_class_id_fkey FOREIGN KEY (weekly_class_id) REFERENCES weekly_class(id)
);
