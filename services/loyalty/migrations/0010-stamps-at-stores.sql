-- outside a transaction
create unique index concurrently one_stamp_for_a_grant_elsewhere on stamp (grant_key) where grant_key is not null and at_store_id is not null;
create index concurrently stamp_at_store_by_approval on stamp (at_store_id, approved_at)
  where at_store_id is not null and status = 'approved' and source <> 'order' and customer_id is not null;
create index concurrently stamp_at_store_by_status on stamp (at_store_id, status, created_at desc, id desc) where at_store_id is not null;
