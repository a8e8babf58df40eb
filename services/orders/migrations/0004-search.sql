-- outside a transaction
create index concurrently contact_by_name on contact (lower(name collate "pg_c_utf8"));
