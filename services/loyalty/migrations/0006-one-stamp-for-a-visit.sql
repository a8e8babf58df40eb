-- outside a transaction
create unique index concurrently one_stamp_for_a_visit on stamp (visit_ref) where visit_ref is not null;
