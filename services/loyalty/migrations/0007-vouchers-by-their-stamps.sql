-- The newest of the stamps a voucher was made from. A stamp completes one voucher, unless that was voided and freed it.
alter table voucher add column completed_by uuid;
create unique index one_voucher_for_a_stamp on voucher (completed_by) where status <> 'voided';
-- A plan's quota counts stamps on cards alone: a guest's, which is on none, uses nothing up.
drop index stamp_by_approval;
create index stamp_by_approval on stamp (store_id, approved_at) where status = 'approved' and source <> 'order' and customer_id is not null;
