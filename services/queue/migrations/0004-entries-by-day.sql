-- outside a transaction
-- The entries of a store in the order of joining, ended ones too: how well the quoted waits were kept.
create index concurrently entry_of_store on entry (store_id, joined_at);
