-- What an order to collect now was quoted when it was paid: the spread of its ready time, whose middle is requested_collection_at. Null
-- where too few orders were known. Paid orders that were not ready yet are what it waited behind; null before that was kept.
alter table orders add column ready_from timestamptz, add column ready_to timestamptz, add column orders_ahead smallint;

-- What a job learned from a store's orders of 28 days: how long they take, and how many of their quotes were kept.
create table ready_times (
  store_id uuid primary key,
  -- Minutes by item, hour and load, and their spread: ReadyTimes of ready-times/rules.ts. Null while too few orders are known.
  learned jsonb,
  quotes integer not null,
  kept integer not null
);
create trigger note_change after insert or update or delete on ready_times for each row execute function note_change('store');
