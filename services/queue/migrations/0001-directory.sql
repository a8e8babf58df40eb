-- What the directory says, as far as the queue goes. Of each thing the newest version is kept, whenever it arrives.
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

-- A store's services and chairs are read together and whole, in the order the store gave them: one row.
create table floor (
  store_id uuid primary key,
  version bigint not null,
  services jsonb not null,
  units jsonb not null
);

-- The diary: what takes a chair's time beside the queue.
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
