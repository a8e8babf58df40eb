-- outside a transaction
-- Those who said yes to a store's news, in the order of their ids.
create index concurrently preference_marketing on preference (store_id, customer_id) where marketing_enabled;
