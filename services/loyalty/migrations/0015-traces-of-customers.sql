-- outside a transaction
create index concurrently device_use_of_customer on device_use (customer_id);
create index concurrently stamp_code_of_person on stamp_code (customer_id) where customer_id is not null;
create index concurrently voucher_of_person on voucher (customer_id);
