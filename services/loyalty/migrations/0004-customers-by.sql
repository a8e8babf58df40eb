-- outside a transaction
create index concurrently customer_by_name on customer
  using gin (to_tsvector('simple'::regconfig, regexp_replace(lower(name collate "pg_c_utf8"), '[^[:alnum:]]+', ' ', 'g')));
create index concurrently customer_by_email on customer (lower(email collate "pg_c_utf8"));
create index concurrently customer_by_phone on customer ((reverse(regexp_replace(phone, '[^0-9]', '', 'g')) collate "C"));
