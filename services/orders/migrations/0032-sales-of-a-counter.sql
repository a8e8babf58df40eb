-- outside a transaction
create index concurrently sales_of_counter on orders (store_id, paid_at desc)
  where channel = 'counter' and parent_order_id is null and paid_at is not null;
