-- A class by the week. A job makes its classes, one on each of its days.
create table weekly_class (
  id uuid primary key,
  store_id uuid not null,
  service_id uuid not null,
  -- Null for any chair that offers the service.
  unit_id uuid,
  -- Days of the week; 1 is Monday.
  days jsonb not null,
  -- A time of day in the store's time zone, as 18:00.
  begins text not null,
  minutes smallint not null check (minutes between 5 and 720),
  places smallint not null check (places between 2 and 200),
  from_date date not null,
  until_date date check (until_date >= from_date),
  made_at timestamptz not null,
  ended_at timestamptz
);
create index weekly_class_going_on on weekly_class (store_id, made_at) where ended_at is null;

-- The class that was made for a day: one, however many replicas make it.
create table weekly_class_day (
  weekly_class_id uuid not null references weekly_class (id),
  -- A day of the store's calendar. The class may have been moved to another since.
  day date not null,
  session_id uuid not null unique references session (id),
  -- Staff have changed or cancelled it, so it stays as it is.
  changed_by_staff boolean not null default false,
  primary key (weekly_class_id, day)
);

-- allowed: the wider check of the next statement takes its place
alter table log_entry drop constraint log_entry_kind_check;
alter table log_entry add constraint log_entry_kind_check check (kind in (
  'joined', 'confirmed', 'claimed', 'called', 'recalled', 'assigned', 'completed', 'no_show', 'converted', 'left', 'cleared', 'reopened',
  'call_lapsed', 'closed', 'abandoned', 'walk_ins_on', 'walk_ins_off', 'booking_made', 'booking_confirmed', 'booking_moved',
  'booking_cancelled', 'booking_arrived', 'booking_done', 'booking_no_show', 'booking_reopened', 'class_made', 'class_changed',
  'class_cancelled', 'waitlist_joined', 'waitlist_offered', 'waitlist_left', 'weekly_class_made', 'weekly_class_changed',
  'weekly_class_ended')) not valid;
