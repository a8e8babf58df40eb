alter table session_booking
  -- Its number in the line of its class, counting up. Null for one that never waited.
  add column line_number integer,
  -- Until when a place is kept for it, which counts as taken. Null while none is offered.
  add column offer_until timestamptz;

-- allowed: the wider check of the next statement takes its place
alter table session_booking drop constraint session_booking_status_check;
alter table session_booking add constraint session_booking_status_check
  check (status in ('waiting', 'requested', 'booked', 'arrived', 'done', 'cancelled', 'no_show')) not valid;
-- allowed: the wider check of the next statement takes its place
alter table session_booking drop constraint ended_when_over;
alter table session_booking add constraint ended_when_over
  check ((status in ('waiting', 'requested', 'booked', 'arrived')) = (ended_at is null)) not valid;
alter table session_booking add constraint waits_in_line
  check ((status <> 'waiting' or line_number is not null) and (status = 'waiting' or offer_until is null)) not valid;

-- allowed: the wider check of the next statement takes its place
alter table log_entry drop constraint log_entry_kind_check;
alter table log_entry add constraint log_entry_kind_check check (kind in (
  'joined', 'confirmed', 'claimed', 'called', 'recalled', 'assigned', 'completed', 'no_show', 'converted', 'left', 'cleared', 'reopened',
  'call_lapsed', 'closed', 'abandoned', 'walk_ins_on', 'walk_ins_off', 'booking_made', 'booking_confirmed', 'booking_moved',
  'booking_cancelled', 'booking_arrived', 'booking_done', 'booking_no_show', 'booking_reopened', 'class_made', 'class_changed',
  'class_cancelled', 'waitlist_joined', 'waitlist_offered', 'waitlist_left')) not valid;
