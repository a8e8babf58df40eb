-- outside a transaction
create unique index concurrently log_entry_of_chain on log_entry (store_id, number) where number is not null;
