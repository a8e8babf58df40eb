-- outside a transaction
-- contact_by_name stays for replicas of the version before.
create index concurrently contact_by_search_text on contact (search_text(name) collate "C");
