-- When a stamp stopped counting or was not confirmed, and when a voucher was voided with how many stamps: for the history of a card. Null for what
-- ended before this was kept.
alter table stamp add column ended_at timestamptz;
alter table voucher add column voided_at timestamptz, add column voided_stamps integer;

-- A customer's voided vouchers, which no stamp names any more. There are few.
create index voucher_voided on voucher (store_id, customer_id) where status = 'voided';
