-- How many days before its end a voucher is announced as expiring; 0 for never.
alter table programme add column voucher_expiring_days integer not null default 7;

-- When the voucher is to be announced as expiring. Null when it has been, or is not to be.
alter table voucher add column expiry_notice_at timestamptz;
update voucher set expiry_notice_at = expires_at - interval '7 days' where status in ('active', 'reserved');
create index voucher_to_announce on voucher (expiry_notice_at) where status = 'active' and expiry_notice_at is not null;
