-- outside a transaction
create index concurrently dead_letter_of_customer on dead_letter (right(subject, 36)) where type = 'customer';
