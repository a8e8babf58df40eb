-- The most that staff below a manager refund of one order, in minor units. Null, as until the next snapshot of the store, for no limit.
alter table store add column staff_refund_limit_pence integer;
