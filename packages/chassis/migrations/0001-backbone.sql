-- What every service keeps beside its own tables, in its own schema.

-- Events published. A row outlives its publication, because the broker may lose it. Rows of one transaction lie together in the primary
-- key: the relay reads by it, and since transactions are numbered in the order of time, old events are found by it too.
create table outbox (
  id bigint generated always as identity,
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
  primary key (transaction_id, id),
  constraint outbox_once_per_step unique (aggregate_id, aggregate_sequence, type)
);
create index outbox_by_event on outbox (event_id);
-- What a request published, what an event led to, and the events of a trace.
create index outbox_by_request on outbox (correlation_id) where correlation_id is not null;
create index outbox_by_cause on outbox (causation_id) where causation_id is not null;
create index outbox_by_trace on outbox (split_part(traceparent, '-', 2));

-- Times in which one relay numbered events. The id is random, so a number under it never means two events, also after the database was
-- restored to an earlier moment.
create table relay_incarnation (
  epoch bigint primary key,
  id uuid not null default gen_random_uuid(),
  begins bigint not null,
  started_at timestamptz not null default clock_timestamp()
);

-- Rows of the outbox that the relay read together: those visible in snapshot_after and not in snapshot_before. Their numbers are
-- first_number and those that follow it, by id.
create table relay_batch (
  first_number bigint primary key,
  size integer not null check (size > 0),
  snapshot_before pg_snapshot not null,
  snapshot_after pg_snapshot not null,
  epoch bigint not null,
  taken_at timestamptz not null default clock_timestamp(),
  acked_at timestamptz
);
create index relay_batch_unacked on relay_batch (first_number) where acked_at is null;

-- One row: how far the relay has read and numbered, and under whose leadership. Numbers below void_below mean nothing any more: after a
-- restore from a dump their events have others.
create table relay_state (
  single boolean primary key default true check (single),
  snapshot pg_snapshot not null,
  last_number bigint not null default 0,
  void_below bigint not null default 0,
  epoch bigint not null default 0
);
insert into relay_state (snapshot) values ('1:1:');

-- Events processed. A row is written in the transaction of the effects, so an event has its effects exactly once. An event of a service has
-- the number that this service gave it; with a producer and without a number, it is one that the producer's database does not know.
create table inbox (
  event_id uuid primary key,
  type text not null,
  state text not null default 'done' check (state in ('done', 'dead')),
  processed_at timestamptz not null default clock_timestamp(),
  producer text,
  number bigint,
  constraint inbox_number unique (producer, number)
);
create index inbox_without_number on inbox (processed_at) where number is null;
create index inbox_unknown on inbox (producer) where number is null and producer is not null;

-- Into how many parts the events that the service consumes are divided, and for how many the leases are made. They differ while a change
-- waits for the replicas that read the former parts.
create table consumer_layout (
  single boolean primary key default true check (single),
  parts integer not null default 1 check (parts between 1 and 64),
  prepared integer not null default 1
);
insert into consumer_layout default values;

-- A row for each part, with the token of the replica that reads it. A replica with another one, which lost its lease without noticing,
-- records no event and moves no position. It is random, so it is not given out again after the database was restored to an earlier moment.
create table consumer_lease (
  single boolean not null default true check (single),
  token uuid not null default gen_random_uuid(),
  part integer primary key default 0
);
insert into consumer_lease default values;

-- How far the inbox is complete, for each service that events come from: it holds every number up to complete_up_to, null before the first
-- event. What lies above is known from the inbox itself, so a crash loses nothing but this summary.
create table consumer_position (
  producer text primary key,
  complete_up_to bigint,
  -- The incarnations whose numbers the inbox holds, oldest first: [{ id, begins }].
  incarnations jsonb not null default '[]',
  -- Whether the last consumer finished what it had begun.
  clean boolean not null default true,
  -- The highest number known, how many of those up to it were asked of the producer and have not come, and since when.
  last bigint,
  missing bigint not null default 0,
  missing_since timestamptz
);

-- The same for each part, of several: the inbox holds all of the part's events up to this number. consumer_position has the least of them.
create table consumer_part (
  producer text not null,
  part integer not null,
  complete_up_to bigint not null,
  incarnations jsonb not null,
  clean boolean not null default true,
  last bigint,
  missing bigint not null default 0,
  missing_since timestamptz,
  primary key (producer, part)
);

-- Numbers that were never processed: the producer's outbox no longer kept them when they were asked for.
create table lost_range (
  producer text not null,
  first_number bigint not null,
  last_number bigint not null,
  published_before timestamptz,
  noticed_at timestamptz not null default clock_timestamp(),
  primary key (producer, first_number)
);

-- The newest version processed of each object of the directory, whose snapshots have no numbers.
create table snapshot_version (
  type text not null,
  object_id text not null,
  version bigint not null,
  -- Of the snapshot's data.
  digest text,
  primary key (type, object_id)
);

-- Objects of the directory whose newest snapshot in the stream is ignored: its version is below the one processed, or the same with other
-- data.
create table ignored_snapshot (
  type text not null,
  object_id text not null,
  version bigint not null,
  processed_version bigint not null,
  noticed_at timestamptz not null default clock_timestamp(),
  primary key (type, object_id)
);

-- Deliveries that began and have not finished: an event that kills its consumer is found by these.
create table delivery_attempt (
  event_id uuid primary key,
  attempts integer not null,
  last_at timestamptz not null default clock_timestamp()
);

-- Events that could not be processed, kept until an operator retries or discards them.
create table dead_letter (
  event_id uuid primary key,
  type text not null,
  subject text not null,
  payload text not null,
  error text not null,
  attempts integer not null,
  dead_lettered_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  settled_as text check (settled_as in ('retried', 'discarded')),
  settled_by text,
  settled_reason text
);
create index dead_letter_open on dead_letter (dead_lettered_at, event_id) where settled_at is null;
create index dead_letter_of_customer on dead_letter (right(subject, 36)) where type = 'customer';

-- Who replayed what, and what came of it.
create table replay (
  id uuid primary key,
  by text not null,
  since timestamptz not null,
  until timestamptz not null,
  type text,
  handler text,
  counted bigint not null,
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  processed bigint,
  skipped bigint,
  failed bigint
);

-- A row is written in the transaction of the effects, so a page of a replay that is requested twice has them once.
create table replayed_event (
  replay_id uuid not null references replay,
  event_id uuid not null,
  type text not null,
  outcome text not null check (outcome in ('processed', 'skipped', 'failed')),
  detail text,
  at timestamptz not null default clock_timestamp(),
  primary key (replay_id, event_id)
);
create index replayed_event_by_event on replayed_event (event_id);
create index replayed_event_by_age on replayed_event (at);

-- Responses to requests that had an Idempotency-Key. The key comes first, so that a request is found by it alone.
create table idempotency_key (
  principal text not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  state text not null check (state in ('running', 'done')),
  -- The process that claimed the key. While it is alive it holds the advisory lock of this number, and no other takes the claim over.
  holder bigint,
  locked_until timestamptz not null,
  status smallint,
  body text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (key, principal, operation)
);
create index idempotency_key_by_age on idempotency_key (created_at);

-- Requests that were refused or failed, so that the id in an error body leads to what happened. Written after the response, in
-- batches; the newest are kept.
create table refusal (
  id bigint generated always as identity primary key,
  request_id text not null,
  at timestamptz not null,
  operation text not null,
  status smallint not null,
  code text not null,
  message text not null,
  -- The store and the order it was about, where the request names them.
  store_id uuid,
  order_id uuid,
  trace_id text
);
create index refusal_of_request on refusal (request_id);
create index refusal_of_trace on refusal (trace_id) where trace_id is not null;
create index refusal_of_order on refusal (order_id, at) where order_id is not null;
create index refusal_of_store on refusal (store_id, at) where store_id is not null;

-- When each job is due next; the replica that moves the row runs it.
create table job (
  name text primary key,
  next_at timestamptz not null default clock_timestamp()
);

-- Which stores and customers a transaction has changed something of, so that a poll learns in one small statement that its reply still
-- holds. It is read for ten minutes, by processes that forget all when they lose their connection: a crash of the server may empty it.
create unlogged table noted_change (
  transaction_id xid8 not null default pg_current_xact_id(),
  -- A store, a customer, or the least UUID for what replies to anyone may show, such as the name of a store.
  key uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (transaction_id, key)
);

-- Customers who were erased. A row is written in the transaction that erases, and stays: what comes late about the customer meets it.
create table erased_customer (
  customer_id uuid primary key,
  -- The sequence of the event that was processed last: a higher one has it done again.
  sequence bigint not null,
  erased_at timestamptz not null,
  -- Null while something is left to do.
  finished_at timestamptz,
  -- What was done, as sentences: [{ at, what }].
  steps jsonb not null default '[]'
);
create index erased_customer_open on erased_customer (erased_at) where finished_at is null;

-- The role of a service may not change or delete events: the next five functions do it as the owner of the schema.

-- These two delete what is no longer needed. Both look at the oldest rows alone, however many there are: a row that must stay keeps no
-- statement reading past it.
create function prune_outbox(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with pruned as (
    delete from outbox where ctid = any (array(
      select oldest.place
      from (select o.ctid as place, o.transaction_id, o.created_at from outbox o order by o.transaction_id, o.id limit at_most) oldest
      where oldest.created_at < older_than
        and pg_visible_in_snapshot(oldest.transaction_id, (select coalesce(
          (select b.snapshot_before from relay_batch b where b.acked_at is null order by b.first_number limit 1),
          (select s.snapshot from relay_state s))))
    )) returning 1
  )
  select count(*) from pruned
$$;
create function prune_relay_batches(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with pruned as (
    delete from relay_batch where ctid = any (array(
      select oldest.place
      from (select b.ctid as place, b.acked_at, b.taken_at from relay_batch b order by b.first_number limit at_most) oldest
      where oldest.acked_at < older_than and oldest.taken_at < older_than
    )) returning 1
  ), forgotten as (
    -- A consumer that was away for as long as this begins with what the outbox keeps.
    delete from relay_incarnation where epoch < (select max(epoch) from relay_incarnation where started_at < older_than - interval '60 days')
  )
  select count(*) from pruned
$$;

-- The relay reads the outbox by the ids of its transactions. A dump keeps these ids, and the server it is restored on gives out its own: a
-- row from the future of this server would be published again and again. A row that can be seen is of a transaction that the server has
-- given out, so a greater id proves such a restore. All rows then get the id of no transaction, the smallest, and are published again under
-- new numbers. The greatest id and what it is compared with are read in one snapshot: a transaction that committed in between would have a
-- greater one.
create function renumber_outbox() returns boolean
language plpgsql security definer set search_path from current as $$
begin
  if (
    select pg_snapshot_xmax(state.snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
      and coalesce((select transaction_id from outbox order by transaction_id desc, id desc limit 1), '0') < pg_snapshot_xmax(pg_current_snapshot())
    from relay_state as state
  ) then
    return false;
  end if;
  delete from relay_batch;
  update outbox set transaction_id = '1';
  update relay_state set snapshot = '1:1:', void_below = last_number + 1;
  return true;
end
$$;

-- Makes published rows of the outbox new, so that the relay publishes them again: the stream has lost their events.
create function publish_again(transaction_ids xid8[], ids bigint[]) returns bigint
language sql security definer set search_path from current as $$
  with again as (
    update outbox o set transaction_id = pg_current_xact_id()
    from unnest(transaction_ids, ids) as lost (transaction_id, id)
    where o.transaction_id = lost.transaction_id and o.id = lost.id
    returning 1
  )
  select count(*) from again
$$;

-- Replaces fields of the events of one type about one aggregate.
create function scrub_outbox(aggregate text, of_type text, fields jsonb) returns bigint
language sql security definer set search_path from current as $$
  with scrubbed as (update outbox set data = data || fields where aggregate_id = aggregate and type = of_type returning 1)
  select count(*) from scrubbed
$$;

-- A trigger for each row, with what the row is of: `store` and `customer` by store_id and customer_id, `customer row` by id,
-- `shared` for what many replies show.
create function note_change() returns trigger
language plpgsql set search_path from current as $$
begin
  if 'store' = any (tg_argv) then
    insert into noted_change (key) select k from (values (old.store_id), (new.store_id)) keys (k) where k is not null on conflict do nothing;
  end if;
  if 'customer' = any (tg_argv) then
    insert into noted_change (key) select k from (values (old.customer_id), (new.customer_id)) keys (k) where k is not null on conflict do nothing;
  end if;
  if 'customer row' = any (tg_argv) then
    insert into noted_change (key) select k from (values (old.id), (new.id)) keys (k) where k is not null on conflict do nothing;
  end if;
  if 'shared' = any (tg_argv) then
    insert into noted_change (key) values ('00000000-0000-0000-0000-000000000000') on conflict do nothing;
  end if;
  return null;
end $$;

-- The lock between the erasure of a customer, which has it alone, and writes about the customer, which share it: one of both sees what the
-- other has written. There are 64, so that a transaction about many customers holds few.
create function lock_of_customer(customer uuid) returns integer language sql immutable as $$
  select abs(hashtext(customer::text) % 64)
$$;
create function lock_schema() returns integer language sql stable as $$
  select hashtext('erased customers of ' || current_schema())
$$;

create function is_erased(customer uuid) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(lock_schema(), lock_of_customer(customer));
  return exists (select from erased_customer e where e.customer_id = customer);
end $$;

-- For tables that a request writes to: the request is refused, since its token is of no one any more.
create function refuse_erased() returns trigger language plpgsql as $$
begin
  if new.customer_id is not null and is_erased(new.customer_id) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $$;

-- For tables that events write to: the row is left out.
create function skip_erased() returns trigger language plpgsql as $$
begin
  if new.customer_id is not null and is_erased(new.customer_id) then
    return null;
  end if;
  return new;
end $$;
-- The same for a table of customers, whose key is `id`.
create function skip_erased_customer() returns trigger language plpgsql as $$
begin
  if is_erased(new.id) then
    return null;
  end if;
  return new;
end $$;
