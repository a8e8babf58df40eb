-- Who read whose data: a chain of rows for each store, and one for the platform. Each row has the hash of itself and of the hash before, so that
-- one that is changed, removed or moved later shows. It names people by their ids alone.
create table data_access (
  -- The store; all f for reads of the platform.
  chain uuid not null,
  number bigint not null check (number > 0),
  at timestamptz not null,
  by_kind text not null check (by_kind in ('merchant', 'staff', 'operator', 'customer')),
  by_id text not null,
  -- Null for everyone.
  customer_id uuid,
  what text not null,
  request_id text,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (chain, number)
);
create index data_access_of_customer on data_access (customer_id, at) where customer_id is not null;

-- The last row of each chain. It is locked while rows are added.
create table data_access_head (
  chain uuid primary key,
  number bigint not null,
  hash bytea not null check (octet_length(hash) = 32)
);

-- Rows are only added, for any role.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are added, never changed or removed.', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger refuse_rewriting before update or delete on data_access for each row execute function refuse_rewriting();
create trigger refuse_truncation before truncate on data_access for each statement execute function refuse_rewriting();
