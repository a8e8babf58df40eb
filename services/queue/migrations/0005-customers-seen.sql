-- Customers who have joined a store's queue: the first time is published.
create table customer_seen (
  store_id uuid not null,
  customer_id uuid not null,
  first_at timestamptz not null,
  primary key (store_id, customer_id)
);
