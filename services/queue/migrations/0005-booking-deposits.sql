-- The item of the menu that is the deposit for a booking. Null where the store takes none.
alter table store add column booking_deposit_item_id text;

-- The deposit of a customer's booking. One that is due keeps the time of its booking, which is `unpaid`, until pay_before.
create table deposit (
  booking_id uuid primary key references session_booking (id),
  item_id text not null,
  pay_before timestamptz not null,
  state text not null default 'due' check (state in ('due', 'unpaid', 'paid', 'refunding', 'refunded')),
  -- The order that paid it: the first one to do so.
  order_id uuid unique,
  constraint paid_by_an_order check ((state in ('due', 'unpaid')) = (order_id is null))
);
create index deposit_due on deposit (pay_before) where state = 'due';

-- allowed: the wider check of the next statement takes its place
alter table session_booking drop constraint session_booking_status_check;
alter table session_booking add constraint session_booking_status_check
  check (status in ('waiting', 'unpaid', 'requested', 'booked', 'arrived', 'done', 'cancelled', 'no_show')) not valid;
-- allowed: the wider check of the next statement takes its place
alter table session_booking drop constraint ended_when_over;
alter table session_booking add constraint ended_when_over
  check ((status in ('waiting', 'unpaid', 'requested', 'booked', 'arrived')) = (ended_at is null)) not valid;

-- allowed: the wider check of the next statement takes its place
alter table log_entry drop constraint log_entry_kind_check;
alter table log_entry add constraint log_entry_kind_check check (kind in (
  'joined', 'confirmed', 'claimed', 'called', 'recalled', 'assigned', 'completed', 'no_show', 'converted', 'left', 'cleared', 'reopened',
  'call_lapsed', 'closed', 'abandoned', 'walk_ins_on', 'walk_ins_off', 'booking_made', 'booking_confirmed', 'booking_moved',
  'booking_cancelled', 'booking_arrived', 'booking_done', 'booking_no_show', 'booking_reopened', 'class_made', 'class_changed',
  'class_cancelled', 'waitlist_joined', 'waitlist_offered', 'waitlist_left', 'weekly_class_made', 'weekly_class_changed',
  'weekly_class_ended', 'booking_held', 'booking_lapsed')) not valid;
