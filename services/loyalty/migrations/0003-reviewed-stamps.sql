-- Why a stamp waits for approval, or needed none.
alter table stamp add column approval_reason text;
-- A plan's quota counts the stamps approved in a month.
create index stamp_by_approval on stamp (store_id, approved_at) where status = 'approved' and source <> 'order';
create index stamp_by_status on stamp (store_id, status, created_at desc, id desc);
drop index stamp_by_day;
