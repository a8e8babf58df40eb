-- outside a transaction
-- customer_by_name stays for replicas of the version before.
create index concurrently customer_by_words on customer using gin (array_to_tsvector(string_to_array(search_text(name), ' ')));
