-- The booking whose deposit the order pays, as its event names it. Null for any other order.
alter table orders add column booking_ref uuid;
