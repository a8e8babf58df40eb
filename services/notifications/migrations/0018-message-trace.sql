-- The trace of the event that a message is about, so that its deliveries are found in the trace of the order.
alter table message add column traceparent text;
