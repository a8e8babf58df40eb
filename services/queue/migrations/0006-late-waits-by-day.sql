-- outside a transaction
-- The entries of a store in the order of joining, ended ones too: how well the quoted waits were kept is read from the index alone.
create index concurrently entry_by_day on entry (store_id, joined_at) include (late_min);
drop index concurrently if exists entry_of_store;
