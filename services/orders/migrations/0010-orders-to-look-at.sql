-- outside a transaction
create index concurrently orders_to_look_at on orders (look_at) where look_at is not null;
