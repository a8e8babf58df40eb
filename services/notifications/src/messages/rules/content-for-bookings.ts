import type { bookingMade, DataOf, waitlistJoined } from '@corner/contracts';
import type { EventContent, MessageContent, Reminder } from './content.ts';

/** A booking that waits for the store has no reminders yet. A guest has the booking's page, and is only reminded. */
export const contentForBookingMade = (booking: Booking): EventContent =>
  booking.status === 'requested'
    ? contentOf(booking, ownOf(booking, 'booking.requested'))
    : contentOf(booking, ownOf(booking, 'booking.made'), remindersOf(booking));

export const contentForBookingConfirmed = (booking: Booking): EventContent =>
  contentOf(booking, messageOf(booking, 'booking.confirmed'), remindersOf(booking));

/** Another chair makes no message. A moved class is switched by other preferences than the customer's own booking. */
export function contentForBookingMoved(booking: Booking): EventContent {
  const reminders = booking.status === 'booked' ? remindersOf(booking) : [];
  if (booking.previous_starts_at === null) return contentOf(booking, null, reminders);
  return contentOf(booking, changeOf(booking, 'moved'), reminders);
}

export const contentForBookingCancelled = (booking: Booking): EventContent => contentOf(booking, changeOf(booking, 'cancelled'));

export function contentForBookingNoShow(booking: Booking): EventContent {
  const { service_name, starts_at, no_shows } = booking;
  const left = no_shows === null ? null : Math.max(0, no_shows.allowed - no_shows.count);
  return contentOf(booking, { template: 'booking.no_show', data: { service_name, starts_at, left }, ...toOwner(booking) });
}

export const contentForBookingStep = (booking: Booking): EventContent => contentOf(booking, null);

/** Staff undid an end: no message. A party that will come again gets the reminders still ahead; the earlier ones have been sent. */
export const contentForBookingReopened = (booking: Booking): EventContent =>
  contentOf(booking, null, booking.status === 'booked' ? remindersOf(booking, 0) : []);

/** Of a class that was moved it says the new time, and again that a place is kept; a guest who joins has the booking's page. */
export function contentForWaitlistJoined(waiting: Waiting): EventContent {
  const { service_name, starts_at, place, cause, customer_id, offer_until } = waiting;
  const data = { service_name, starts_at };
  if (offer_until !== null) return contentForWaitlistOffered(waiting);
  if (cause === 'owner' && customer_id === null) return contentOf(waiting, null);
  return contentOf(waiting, { template: 'class.waiting', data: { ...data, place }, ...toOwner(waiting) });
}

export function contentForWaitlistOffered(waiting: Waiting): EventContent {
  const { service_name, starts_at } = waiting;
  const offer_until = waiting.offer_until ?? starts_at;
  const data = { service_name, starts_at, offer_until };
  return contentOf(waiting, { template: 'class.offered', data, ...toOwner(waiting), expiresAt: offer_until });
}

/** No message to one who left, nor when the class has begun: its page says so. */
export function contentForWaitlistLeft(waiting: Waiting): EventContent {
  const { service_name, starts_at, offer_until, cause } = waiting;
  if (cause === 'owner' || (cause === 'time' && offer_until === null)) return contentOf(waiting, null);
  const template = cause === 'class' ? 'class.cancelled' : 'class.lapsed';
  return contentOf(waiting, { template, data: { service_name, starts_at }, ...toOwner(waiting) });
}

type Booking = DataOf<typeof bookingMade>;
type Waiting = DataOf<typeof waitlistJoined>;
type Owned = Pick<Booking, 'booking_ref' | 'starts_at'> & { readonly status?: Booking['status'] };

const contentOf = (booking: Owned, message: MessageContent | null, reminders: readonly Reminder[] = []): EventContent => ({
  supersedes: [topicOf(booking), ...reminderKinds.map((kind) => topicOf(booking, kind))],
  message,
  reminders,
});

const topicOf = ({ booking_ref }: Owned, kind?: ReminderKind) => `booking:${booking_ref}${kind === undefined ? '' : `:${kind}`}`;

const changeOf = (booking: Booking, change: 'moved' | 'cancelled'): MessageContent | null =>
  booking.cause === 'class' ? messageOf(booking, `class.${change}`) : ownOf(booking, `booking.${change}`);

/** Null for a guest's own action, which the booking's page shows: a text would cost the store money. */
const ownOf = (booking: Booking, template: BookingTemplate): MessageContent | null =>
  booking.customer_id === null && booking.cause === 'owner' ? null : messageOf(booking, template);

const messageOf = (booking: Booking, template: BookingTemplate): MessageContent => {
  const { service_name, starts_at } = booking;
  return { template, data: { service_name, starts_at }, ...toOwner(booking) };
};

type BookingTemplate =
  | ('booking.requested' | 'booking.made' | 'booking.confirmed' | 'booking.moved' | 'booking.cancelled')
  | ('class.moved' | 'class.cancelled');

const toOwner = (booking: Owned) =>
  ({
    topic: topicOf(booking),
    channel: 'push',
    waitSeconds: 0,
    entryRef: booking.booking_ref,
    expiresAt: booking.status === 'no_show' ? null : booking.starts_at,
  }) as const;

const reminderKinds = ['day', 'hours'] as const;
type ReminderKind = (typeof reminderKinds)[number];

const justSaid = 3_600_000;

/**
 * The reminders of a booking: at its time of day on the day before, in the store's time zone, and two hours before. One within `saidMs`
 * (milliseconds) of the change is left out, because the change's own message serves. The day's reminder expires when the later one is due.
 */
export function remindersOf(booking: Booking, saidMs = justSaid): readonly Reminder[] {
  const start = Temporal.Instant.from(booking.starts_at).toZonedDateTimeISO(booking.time_zone);
  const dueAt = { day: start.subtract({ days: 1 }), hours: start.subtract({ hours: 2 }) };
  const { service_name, starts_at } = booking;
  return reminderKinds
    .filter((kind) => dueAt[kind].epochMilliseconds > Date.parse(booking.at) + saidMs)
    .map((kind) => ({
      template: 'booking.reminder' as const,
      data: { service_name, starts_at },
      ...toOwner(booking),
      topic: topicOf(booking, kind),
      dueAt: dueAt[kind].toInstant().toString(),
      expiresAt: kind === 'day' ? dueAt.hours.toInstant().toString() : starts_at,
    }));
}
