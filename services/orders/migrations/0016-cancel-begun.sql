-- When a cancellation of the unpaid order began. It is stored before the payment intent is cancelled: if the process stops and the payment
-- comes meanwhile, the repeated cancellation refunds it.
alter table orders add column cancel_begun_at timestamptz;
