-- A programme has the id of its home store. This table has the further stores whose customers collect on its cards; a store that is not in it
-- has the programme of its own id.
create table programme_store (
  store_id uuid primary key,
  programme_id uuid not null
);
create index programme_store_of_programme on programme_store (programme_id);

-- The store_id of cards, stamps and vouchers is the programme's. This is where a stamp was collected; null at the programme's home.
alter table stamp add column at_store_id uuid;

-- The programme whose card the order is on; null for that of its store's own id.
alter table order_ledger add column programme_id uuid;
