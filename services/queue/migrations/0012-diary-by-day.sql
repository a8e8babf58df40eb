-- outside a transaction
-- An entry of the queue is found by the booking that it became.
create index concurrently entry_of_appointment on entry (appointment_id) where appointment_id is not null;
-- A day of the diary is read as one: its bookings and seats, whether they have ended or not.
create index concurrently booking_by_day on booking (store_id, starts_at);
create index concurrently seat_by_day on seat (store_id, starts_at);
