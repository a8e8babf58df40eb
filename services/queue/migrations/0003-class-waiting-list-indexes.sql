-- outside a transaction
-- The line of a class.
create unique index concurrently session_booking_line on session_booking (session_id, line_number) where status = 'waiting';
-- A customer waits once for a class, however many phones ask at once.
create unique index concurrently session_booking_waits_once on session_booking (session_id, customer_id) where status = 'waiting';
