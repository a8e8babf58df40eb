-- What every service keeps beside its own tables, in its own schema.

-- Events told. Insert-only; a row outlives its publication, because the broker may forget.
create table outbox (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  event_id uuid not null default uuidv7(),
  type text not null,
  version smallint not null,
  aggregate_id text not null,
  aggregate_sequence bigint not null,
  store_id uuid,
  customer_id uuid,
  data jsonb not null,
  correlation_id text,
  causation_id text,
  traceparent text,
  created_at timestamptz not null default clock_timestamp(),
  constraint outbox_once_per_step unique (aggregate_id, aggregate_sequence, type)
);
create index outbox_by_transaction on outbox (transaction_id);
create index outbox_by_event on outbox (event_id);
create index outbox_by_age on outbox (created_at);

-- What the relay read together: the rows visible in seen_after and not in seen_before, by id.
create table relay_tick (
  first_sequence bigint primary key,
  size integer not null check (size > 0),
  seen_before pg_snapshot not null,
  seen_after pg_snapshot not null,
  epoch bigint not null,
  taken_at timestamptz not null default clock_timestamp(),
  acked_at timestamptz,
  last_stream_sequence bigint,
  last_event_id uuid,
  -- Times it had to be published again: part of the message id then, or the broker would take it for a repeat it still has.
  republished integer not null default 0
);
create index relay_tick_unacked on relay_tick (first_sequence) where acked_at is null;

-- One row: how far the relay has read, and under whose leadership.
create table relay_state (
  single boolean primary key default true check (single),
  snapshot pg_snapshot not null,
  last_sequence bigint not null default 0,
  epoch bigint not null default 0,
  stream_created text
);
insert into relay_state (snapshot) values ('1:1:');

-- Events heard. A row stands in the transaction of the effects, so an event has its effects exactly once.
create table inbox (
  event_id uuid primary key,
  type text not null,
  state text not null default 'done' check (state in ('done', 'dead')),
  heard_at timestamptz not null default clock_timestamp()
);
create index inbox_by_age on inbox (heard_at);

-- Events that could not be worked through; kept until somebody retries or discards them.
create table dead_letter (
  event_id uuid primary key,
  type text not null,
  subject text not null,
  payload text not null,
  error text not null,
  attempts integer not null,
  died_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  settled_as text check (settled_as in ('retried', 'discarded')),
  settled_by text,
  settled_reason text
);

-- Work begun on a redelivered event and not finished: an event that kills its reader is found out by this.
create table delivery_attempt (
  event_id uuid primary key,
  attempts integer not null,
  last_at timestamptz not null default clock_timestamp()
);

-- Answers already given to an Idempotency-Key.
create table idempotency_key (
  principal text not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  state text not null check (state in ('running', 'done')),
  locked_until timestamptz not null,
  status smallint,
  body text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (principal, operation, key)
);
create index idempotency_key_by_age on idempotency_key (created_at);

-- When each schedule is due next; whoever moves the row runs it.
create table schedule (
  name text primary key,
  next_at timestamptz not null default clock_timestamp()
);

-- The application role may not delete events. It may drop those nobody can need any more, through these alone.
create function prune_outbox(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with told as (
    select o.id from outbox o
    where o.created_at < older_than
      and pg_visible_in_snapshot(o.transaction_id, (select coalesce(
        (select t.seen_before from relay_tick t where t.acked_at is null order by t.first_sequence limit 1),
        (select s.snapshot from relay_state s))))
    order by o.created_at
    limit at_most
  ), pruned as (
    delete from outbox where id in (select id from told) returning 1
  )
  select count(*) from pruned
$$;
create function prune_ticks(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with pruned as (
    delete from relay_tick where first_sequence in (
      select first_sequence from relay_tick
      where acked_at < older_than and taken_at < older_than
      order by first_sequence limit at_most
    ) returning 1
  )
  select count(*) from pruned
$$;
