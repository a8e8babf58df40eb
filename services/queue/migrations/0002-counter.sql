-- What the directory says of closures and pauses. Empty until the next snapshot of the store.
alter table store add column closures jsonb not null default '[]';
alter table store add column paused_until timestamptz;

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

-- Who at the store made the last change; null when the owner of the place or the time made it.
alter table entry add column by_id text;
alter table entry add column by_name text;
-- The status before the entry ended: reopening returns to it. Null for an entry that has not ended, and for one that ended before this column.
alter table entry add column ended_from text;
-- When its end was undone, which happens once.
alter table entry add column reopened_at timestamptz;

-- Every change of an entry and every switch of walk-ins, by whom. It names no guest: a name is read from the entry while that has one.
create table log_entry (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  -- Null for a switch of walk-ins.
  entry_ref uuid references entry (id),
  at timestamptz not null,
  kind text not null check (kind in (
    'joined', 'claimed', 'called', 'recalled', 'assigned', 'completed', 'no_show', 'converted', 'left', 'reopened',
    'call_lapsed', 'closed', 'abandoned', 'walk_ins_on', 'walk_ins_off')),
  by_id text,
  by_name text,
  -- The reason that was typed.
  detail text,
  -- Until when walk-ins were switched off.
  until timestamptz
);
create index log_entry_of_store on log_entry (store_id, at desc, id desc);
