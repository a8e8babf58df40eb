-- A customer's first paid order at a store is the one row that says so, also of two that are paid at once.
update orders o set is_first = false
where o.is_first and exists (
  select from orders e where e.customer_id = o.customer_id and e.store_id = o.store_id and e.is_first and (e.paid_at, e.id) < (o.paid_at, o.id));
create unique index one_first_order_of_a_customer on orders (customer_id, store_id) where is_first;
drop index orders_of_customer;

-- The slots that contain a time are found among those that have not ended, however many have.
drop index slot_by_time;
create index slot_by_end on slot (store_id, ends_at, starts_at);
