-- outside a transaction
create index concurrently message_of_customer on message (customer_id) where customer_id is not null;
