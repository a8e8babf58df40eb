-- outside a transaction
create index concurrently session_of_person on session (person_id);
