-- When the order asked for the reservation or the release that was processed last: an older call that arrives late changes nothing.
alter table voucher add column reservation_asked_at timestamptz;
