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

-- The role of a service may not change events. This replaces fields of those of one type about one aggregate.
create function scrub_outbox(aggregate text, of_type text, fields jsonb) returns bigint
language sql security definer set search_path from current as $$
  with scrubbed as (update outbox set data = data || fields where aggregate_id = aggregate and type = of_type returning 1)
  select count(*) from scrubbed
$$;
