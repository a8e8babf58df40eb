-- outside a transaction
create index concurrently ledger_of_drawer on ledger (drawer_id) where drawer_id is not null;
