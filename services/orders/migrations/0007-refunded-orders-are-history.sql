-- outside a transaction
create index concurrently orders_live on orders (store_id, (coalesce(first_collection_at, requested_collection_at, created_at)), id)
  where is_live and not fully_refunded;
create index concurrently orders_ended on orders (store_id, created_at desc, id desc) where has_ended or fully_refunded;
drop index concurrently if exists orders_active;
drop index concurrently if exists orders_history;
