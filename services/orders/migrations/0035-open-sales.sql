-- outside a transaction
create index concurrently open_sales_of_counter on orders (store_id, created_at desc, id desc)
  where channel = 'counter' and payment_status = 'pending_payment' and parent_order_id is null;
