-- Parts of imports, which are run together. They are deleted a day after they were staged.
create table import_part (
  import_id uuid not null,
  part integer not null,
  entries jsonb not null,
  plan jsonb,
  -- What the import did. Null as long as it was not run, or only as a dry run.
  result jsonb,
  -- The snapshots that it published.
  event_ids uuid[] not null default '{}',
  staged_at timestamptz not null,
  primary key (import_id, part)
);
create index import_part_by_age on import_part (staged_at);

-- How far the service has looked at its own stream, and the snapshots there that it did not publish, as a sentence for the operator.
create table stream_position (
  single boolean primary key default true check (single),
  read_up_to bigint not null,
  fault text,
  looked_at timestamptz not null
);
