-- Which stores and customers a transaction has changed something of, so that a poll learns in one small statement that its reply still holds.
-- It is read for ten minutes, by processes that forget all when they lose their connection: a crash of the server may empty it.
create unlogged table noted_change (
  transaction_id xid8 not null default pg_current_xact_id(),
  -- A store, a customer, or the least UUID for what replies to anyone may show, such as the name of a store.
  key uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (transaction_id, key)
);

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
