-- outside a transaction
-- An entry of the queue is found by the booking that it became.
create index concurrently entry_of_appointment on entry (appointment_id) where appointment_id is not null;
