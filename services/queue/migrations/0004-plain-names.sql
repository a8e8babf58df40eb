-- The sequence of the last event published about the entry.
alter table entry rename column told to event_sequence;
-- It refers to entry.id, which events call entry_ref, and not to the credential entry.entry_id.
alter table seat rename column entry_id to entry_ref;
