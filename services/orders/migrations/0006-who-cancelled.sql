-- Who cancelled an order: its store, its customer or the service itself. Null for orders that were cancelled before this was kept.
alter table orders add column cancelled_by text constraint orders_cancelled_by_check check (cancelled_by in ('store', 'customer', 'system'));
