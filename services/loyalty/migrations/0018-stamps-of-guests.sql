-- outside a transaction
-- The stamps of guests that wait: listed and counted by store, and rejected after a day.
create index concurrently stamp_of_guests on stamp (store_id, created_at desc, id desc) where status = 'pending' and customer_id is null;
