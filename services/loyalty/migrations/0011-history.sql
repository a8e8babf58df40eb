-- When a stamp stopped counting or was not confirmed, and when a voucher was voided with how many stamps: for the history of a card. Null for what
-- ended before this was kept.
alter table stamp add column ended_at timestamptz;
alter table voucher add column voided_at timestamptz, add column voided_stamps integer;
