-- outside a transaction
create index concurrently hold_of_unproven on hold (unproven_store_id, ref) include (kind, quantity)
  where state = 'held' and unproven_store_id is not null;
create index concurrently open_orders_of_customer on orders (customer_id, store_id)
  where parent_order_id is null and (payment_status in ('pending_payment', 'payment_failed') or total_pence = 0 and is_live);
create index concurrently open_orders_of_device on orders (device_hash, store_id)
  where parent_order_id is null and device_hash is not null and (payment_status in ('pending_payment', 'payment_failed') or total_pence = 0 and is_live);
create index concurrently open_orders_of_address on orders (address_hash, store_id)
  where parent_order_id is null and address_hash is not null and (payment_status in ('pending_payment', 'payment_failed') or total_pence = 0 and is_live);
create index concurrently orders_of_device_at_store on orders (device_hash, store_id, promo_code) where device_hash is not null;
drop index concurrently if exists orders_of_device;
