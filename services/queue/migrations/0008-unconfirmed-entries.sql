-- A keyed hash of the address from which a guest joined, while the entry waits and no one at the store has confirmed it; else null.
alter table entry add column address_hash text;
-- The key of those hashes: each store has its own.
alter table floor add column address_key uuid;
alter table floor alter column address_key set default gen_random_uuid();
-- allowed: the table has one short row for each store
update floor set address_key = gen_random_uuid();
-- allowed: the constraint that follows permits all that this one does, and two kinds more
alter table log_entry drop constraint log_entry_kind_check;
alter table log_entry add constraint log_entry_kind_check check (kind in (
  'joined', 'confirmed', 'claimed', 'called', 'recalled', 'assigned', 'completed', 'no_show', 'converted', 'left', 'cleared', 'reopened',
  'call_lapsed', 'closed', 'abandoned', 'walk_ins_on', 'walk_ins_off')) not valid;
