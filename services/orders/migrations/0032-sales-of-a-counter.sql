-- outside a transaction
create index concurrently sales_of_counter on orders (store_id, paid_at desc)
  where channel = 'counter';
