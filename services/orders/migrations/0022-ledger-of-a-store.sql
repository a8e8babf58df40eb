-- outside a transaction
create index concurrently ledger_of_store on ledger (store_id, at);
