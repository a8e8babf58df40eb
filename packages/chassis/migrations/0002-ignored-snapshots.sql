-- A digest of the data of the snapshot that was processed; null for one that was processed before this column was there.
alter table snapshot_version add column digest text;

-- Objects of the directory whose newest snapshot in the stream is ignored: its version is below the one processed, or the same with other data.
create table ignored_snapshot (
  type text not null,
  object_id text not null,
  version bigint not null,
  processed_version bigint not null,
  noticed_at timestamptz not null default clock_timestamp(),
  primary key (type, object_id)
);
