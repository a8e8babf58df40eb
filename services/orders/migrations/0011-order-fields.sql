-- The customer's name, which the staff of a store see on the customer's orders there. Null until the next snapshot of the customer.
alter table contact add column name text;

-- The collection time that an order had before its customer moved it to an earlier slot; null for an order that never moved. The live list is
-- sorted by it, so that an order that moves while a client pages is neither skipped nor returned twice.
alter table orders add column first_collection_at timestamptz;
drop index orders_active;
create index orders_active on orders (store_id, coalesce(first_collection_at, requested_collection_at, created_at), id)
  where paid_at is not null and business_status in ('placed', 'ready');
