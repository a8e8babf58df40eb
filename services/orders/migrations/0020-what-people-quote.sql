-- A file runs in one transaction, so its indexes are not built concurrently: writes wait while each table is read once, which takes a
-- second or so for a million rows.

-- What people quote to an operator is found by an index: an order number, a collection code, a payment account, and an Idempotency-Key, which
-- comes first in its key now.
create index orders_by_number on orders (order_number);
create index orders_by_collection_code on orders (collection_code) where collection_code is not null;
create index store_by_account on store (connected_account_id) where connected_account_id is not null;

create unique index orders_by_key on orders (idempotency_key, customer_id);
alter table orders drop constraint one_order_for_a_key;
alter table orders add constraint one_order_for_a_key unique using index orders_by_key;
