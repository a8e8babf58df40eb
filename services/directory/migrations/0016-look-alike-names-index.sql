-- outside a transaction
create index concurrently object_store_by_look_alike on object (look_alike(data ->> 'name') collate "C") where kind = 'store';
