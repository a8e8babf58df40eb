-- Written by `npm run schema` from the migrations; reviewed in diffs, checked by a test, run by nothing.

create table consumer_layout (
  single boolean default true not null,
  parts integer default 1 not null,
  prepared integer default 1 not null,
  constraint consumer_layout_pkey PRIMARY KEY (single),
  constraint consumer_layout_parts_check CHECK (((parts >= 1) AND (parts <= 64))),
  constraint consumer_layout_single_check CHECK (single)
);

create table consumer_lease (
  single boolean default true not null,
  token uuid default gen_random_uuid() not null,
  part integer default 0 not null,
  constraint consumer_lease_pkey PRIMARY KEY (part),
  constraint consumer_lease_single_check CHECK (single)
);

create table consumer_part (
  producer text not null,
  part integer not null,
  complete_up_to bigint not null,
  incarnations jsonb not null,
  clean boolean default true not null,
  last bigint,
  missing bigint default 0 not null,
  missing_since timestamp with time zone,
  constraint consumer_part_pkey PRIMARY KEY (producer, part)
);

create table consumer_position (
  producer text not null,
  complete_up_to bigint,
  incarnations jsonb default '[]'::jsonb not null,
  clean boolean default true not null,
  last bigint,
  missing bigint default 0 not null,
  missing_since timestamp with time zone,
  constraint consumer_position_pkey PRIMARY KEY (producer)
);

create table dead_letter (
  event_id uuid not null,
  type text not null,
  subject text not null,
  payload text not null,
  error text not null,
  attempts integer not null,
  dead_lettered_at timestamp with time zone default clock_timestamp() not null,
  settled_at timestamp with time zone,
  settled_as text,
  settled_by text,
  settled_reason text,
  constraint dead_letter_pkey PRIMARY KEY (event_id),
  constraint dead_letter_settled_as_check CHECK ((settled_as = ANY (ARRAY['retried'::text, 'discarded'::text])))
);
CREATE INDEX dead_letter_of_customer ON dead_letter USING btree ("right"(subject, 36)) WHERE (type = 'customer'::text);
CREATE INDEX dead_letter_open ON dead_letter USING btree (dead_lettered_at, event_id) WHERE (settled_at IS NULL);

create table delivery_attempt (
  event_id uuid not null,
  attempts integer not null,
  last_at timestamp with time zone default clock_timestamp() not null,
  constraint delivery_attempt_pkey PRIMARY KEY (event_id)
);

create table erased_customer (
  customer_id uuid not null,
  sequence bigint not null,
  erased_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  steps jsonb default '[]'::jsonb not null,
  constraint erased_customer_pkey PRIMARY KEY (customer_id)
);
CREATE INDEX erased_customer_open ON erased_customer USING btree (erased_at) WHERE (finished_at IS NULL);

create table idempotency_key (
  principal text not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  state text not null,
  holder bigint,
  locked_until timestamp with time zone not null,
  status smallint,
  body text,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint idempotency_key_pkey PRIMARY KEY (key, principal, operation),
  constraint idempotency_key_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
);
CREATE INDEX idempotency_key_by_age ON idempotency_key USING btree (created_at);

create table ignored_snapshot (
  type text not null,
  object_id text not null,
  version bigint not null,
  processed_version bigint not null,
  noticed_at timestamp with time zone default clock_timestamp() not null,
  constraint ignored_snapshot_pkey PRIMARY KEY (type, object_id)
);

create table inbox (
  event_id uuid not null,
  type text not null,
  state text default 'done'::text not null,
  processed_at timestamp with time zone default clock_timestamp() not null,
  producer text,
  number bigint,
  constraint inbox_pkey PRIMARY KEY (event_id),
  constraint inbox_number UNIQUE (producer, number),
  constraint inbox_state_check CHECK ((state = ANY (ARRAY['done'::text, 'dead'::text])))
);
CREATE INDEX inbox_unknown ON inbox USING btree (producer) WHERE ((number IS NULL) AND (producer IS NOT NULL));
CREATE INDEX inbox_without_number ON inbox USING btree (processed_at) WHERE (number IS NULL);

CREATE OR REPLACE FUNCTION is_erased(customer uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(lock_schema(), lock_of_customer(customer));
  return exists (select from erased_customer e where e.customer_id = customer);
end $function$;

create table job (
  name text not null,
  next_at timestamp with time zone default clock_timestamp() not null,
  constraint job_pkey PRIMARY KEY (name)
);

CREATE OR REPLACE FUNCTION lock_of_customer(customer uuid)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select abs(hashtext(customer::text) % 64)
$function$;

CREATE OR REPLACE FUNCTION lock_schema()
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select hashtext('erased customers of ' || current_schema())
$function$;

create table lost_range (
  producer text not null,
  first_number bigint not null,
  last_number bigint not null,
  published_before timestamp with time zone,
  noticed_at timestamp with time zone default clock_timestamp() not null,
  constraint lost_range_pkey PRIMARY KEY (producer, first_number)
);

CREATE OR REPLACE FUNCTION note_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO current_schema
AS $function$
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
end $function$;

create unlogged table noted_change (
  transaction_id xid8 default pg_current_xact_id() not null,
  key uuid not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint noted_change_pkey PRIMARY KEY (transaction_id, key)
);

create table outbox (
  id bigint generated always as identity not null,
  transaction_id xid8 default pg_current_xact_id() not null,
  event_id uuid default uuidv7() not null,
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
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint outbox_pkey PRIMARY KEY (transaction_id, id),
  constraint outbox_once_per_step UNIQUE (aggregate_id, aggregate_sequence, type)
);
CREATE INDEX outbox_by_cause ON outbox USING btree (causation_id) WHERE (causation_id IS NOT NULL);
CREATE INDEX outbox_by_event ON outbox USING btree (event_id);
CREATE INDEX outbox_by_request ON outbox USING btree (correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX outbox_by_trace ON outbox USING btree (split_part(traceparent, '-'::text, 2));

CREATE OR REPLACE FUNCTION prune_outbox(older_than timestamp with time zone, at_most integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO current_schema
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION prune_relay_batches(older_than timestamp with time zone, at_most integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO current_schema
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION publish_again(transaction_ids xid8[], ids bigint[])
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO current_schema
AS $function$
  with again as (
    update outbox o set transaction_id = pg_current_xact_id()
    from unnest(transaction_ids, ids) as lost (transaction_id, id)
    where o.transaction_id = lost.transaction_id and o.id = lost.id
    returning 1
  )
  select count(*) from again
$function$;

create table refusal (
  id bigint generated always as identity not null,
  request_id text not null,
  at timestamp with time zone not null,
  operation text not null,
  status smallint not null,
  code text not null,
  message text not null,
  store_id uuid,
  order_id uuid,
  trace_id text,
  constraint refusal_pkey PRIMARY KEY (id)
);
CREATE INDEX refusal_of_order ON refusal USING btree (order_id, at) WHERE (order_id IS NOT NULL);
CREATE INDEX refusal_of_request ON refusal USING btree (request_id);
CREATE INDEX refusal_of_store ON refusal USING btree (store_id, at) WHERE (store_id IS NOT NULL);
CREATE INDEX refusal_of_trace ON refusal USING btree (trace_id) WHERE (trace_id IS NOT NULL);

CREATE OR REPLACE FUNCTION refuse_erased()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.customer_id is not null and is_erased(new.customer_id) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $function$;

create table relay_batch (
  first_number bigint not null,
  size integer not null,
  snapshot_before pg_snapshot not null,
  snapshot_after pg_snapshot not null,
  epoch bigint not null,
  taken_at timestamp with time zone default clock_timestamp() not null,
  acked_at timestamp with time zone,
  constraint relay_batch_pkey PRIMARY KEY (first_number),
  constraint relay_batch_size_check CHECK ((size > 0))
);
CREATE INDEX relay_batch_unacked ON relay_batch USING btree (first_number) WHERE (acked_at IS NULL);

create table relay_incarnation (
  epoch bigint not null,
  id uuid default gen_random_uuid() not null,
  begins bigint not null,
  started_at timestamp with time zone default clock_timestamp() not null,
  constraint relay_incarnation_pkey PRIMARY KEY (epoch)
);

create table relay_state (
  single boolean default true not null,
  snapshot pg_snapshot not null,
  last_number bigint default 0 not null,
  void_below bigint default 0 not null,
  epoch bigint default 0 not null,
  constraint relay_state_pkey PRIMARY KEY (single),
  constraint relay_state_single_check CHECK (single)
);

CREATE OR REPLACE FUNCTION renumber_outbox()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO current_schema
AS $function$
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
$function$;

create table replay (
  id uuid not null,
  by text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  type text,
  handler text,
  counted bigint not null,
  begun_at timestamp with time zone default clock_timestamp() not null,
  ended_at timestamp with time zone,
  processed bigint,
  skipped bigint,
  failed bigint,
  constraint replay_pkey PRIMARY KEY (id)
);

create table replayed_event (
  replay_id uuid not null,
  event_id uuid not null,
  type text not null,
  outcome text not null,
  detail text,
  at timestamp with time zone default clock_timestamp() not null,
  constraint replayed_event_pkey PRIMARY KEY (replay_id, event_id),
  constraint replayed_event_replay_id_fkey FOREIGN KEY (replay_id) REFERENCES replay(id),
  constraint replayed_event_outcome_check CHECK ((outcome = ANY (ARRAY['processed'::text, 'skipped'::text, 'failed'::text])))
);
CREATE INDEX replayed_event_by_age ON replayed_event USING btree (at);
CREATE INDEX replayed_event_by_event ON replayed_event USING btree (event_id);

CREATE OR REPLACE FUNCTION scrub_outbox(aggregate text, of_type text, fields jsonb)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO current_schema
AS $function$
  with scrubbed as (update outbox set data = data || fields where aggregate_id = aggregate and type = of_type returning 1)
  select count(*) from scrubbed
$function$;

CREATE OR REPLACE FUNCTION skip_erased()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.customer_id is not null and is_erased(new.customer_id) then
    return null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION skip_erased_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_erased(new.id) then
    return null;
  end if;
  return new;
end $function$;

create table snapshot_version (
  type text not null,
  object_id text not null,
  version bigint not null,
  digest text,
  constraint snapshot_version_pkey PRIMARY KEY (type, object_id)
);
