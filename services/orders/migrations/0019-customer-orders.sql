-- A customer's own orders, newest first, and a store by its public code. Both are read by apps.
create index orders_of_customer on orders (customer_id, created_at desc, id desc) where parent_order_id is null;
create index store_by_code on store (upper(code));
