-- The changes of places in a store's queue are a chain: a row has the hash of itself and of the hash before, so that a place that is moved later
-- shows. Rows of before, and switches of walk-ins, are no part of it. `status` and `place` are the entry's status and joined_at after the change.
alter table log_entry add column number bigint, add column status text, add column place timestamptz, add column hash bytea;
-- The end of the chain is in replies to polls.
create trigger note_change after insert or update or delete on log_entry for each row execute function note_change('store');
