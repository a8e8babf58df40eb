import { randomUUID } from 'node:crypto';
import { bookingCancelled, bookingDone, bookingMade, bookingMoved, bookingReopened, type Envelope } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { remindersOf } from './rules/content-for-bookings.ts';
import { bookingEvents } from './testing/events.ts';
import { type Guest, type Messaging, startMessaging } from './testing/messaging.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
beforeEach(() => messaging.clock.set('2026-06-01T12:00:00Z'));
afterAll(async () => await messaging[Symbol.asyncDispose]());

const Reminder = z.object({ state: z.string(), reason: z.string().nullable(), due: z.string() });

const reminders = ({ storeId }: Guest) =>
  messaging.running.service.database.any(sql.type(Reminder)`
    select state, reason, to_char(due_at at time zone 'utc', 'MM-DD HH24:MI') as due from message
    where store_id = ${storeId} and template = 'booking.reminder' order by due_at, created_at`);

async function deliverAt(guest: Guest, at: string): Promise<void> {
  messaging.clock.set(at);
  messaging.advance({ seconds: 0 });
  const left = sql.type(z.object({ pending: z.number() }))`
    select count(*)::int as pending from message where store_id = ${guest.storeId} and state = 'pending' and due_at <= ${at}`;
  await until(async () => (await messaging.running.service.database.oneFirst(left)) === 0, { describe: `what is due at ${at}` });
}

const titles = (guest: Guest) => messaging.received(guest).map(({ title }) => title);

describe('a booking', () => {
  test('is reminded of at its time of day on the day before, and two hours before, once each, however often its event comes', async () => {
    const guest = await messaging.guest();
    const made = bookingEvents(guest)(bookingMade);
    await messaging.publish(made, made);
    expect(await reminders(guest)).toEqual([
      { state: 'pending', reason: null, due: '06-04 14:00' },
      { state: 'pending', reason: null, due: '06-05 12:00' },
    ]);
    await deliverAt(guest, '2026-06-04T13:59:59Z');
    expect(titles(guest)).toEqual(['You have a booking']);
    await deliverAt(guest, '2026-06-04T14:00:00Z');
    await deliverAt(guest, '2026-06-05T12:00:00Z');
    await deliverAt(guest, '2026-06-05T13:00:00Z');
    expect(titles(guest)).toEqual(['You have a booking', 'Your booking is soon', 'Your booking is soon']);
    expect(messaging.received(guest).at(-1)?.text).toContain('Cut at Bea’s Bakery, 5 June 2026 at 16:00');
  });

  test('that moves is reminded of at its new time alone, in whatever order its events come', async () => {
    for (const order of ['in order', 'reversed']) {
      const guest = await messaging.guest();
      const eventOf = bookingEvents(guest);
      const made = eventOf(bookingMade);
      const times = { starts_at: '2026-06-07T14:00:00Z', previous_starts_at: '2026-06-05T14:00:00Z' };
      const moved = eventOf(bookingMoved, { ...times, ends_at: '2026-06-07T14:25:00Z' }, 2);
      for (const event of order === 'reversed' ? [moved, made] : [made, moved]) await messaging.publish(event);
      for (const at of ['2026-06-04T14:00:00Z', '2026-06-05T12:00:00Z', '2026-06-06T14:00:00Z']) await deliverAt(guest, at);
      expect((await reminders(guest)).map(({ state, due }) => [due, state])).toEqual([
        ['06-04 14:00', 'superseded'],
        ['06-05 12:00', 'superseded'],
        ['06-06 14:00', 'sent'],
        ['06-07 12:00', 'pending'],
      ]);
      messaging.clock.set('2026-06-01T12:00:00Z');
    }
  });

  test('that was cancelled is never reminded of, also when its making arrives later', async () => {
    for (const reversed of [false, true]) {
      const guest = await messaging.guest();
      const eventOf = bookingEvents(guest);
      const events = [eventOf(bookingMade), eventOf(bookingCancelled, { status: 'cancelled' }, 2)];
      for (const event of reversed ? events.toReversed() : events) await messaging.publish(event);
      for (const at of ['2026-06-04T14:00:00Z', '2026-06-05T12:00:00Z']) await deliverAt(guest, at);
      expect((await reminders(guest)).map(({ state }) => state)).toEqual(['superseded', 'superseded']);
      expect(titles(guest)).not.toContain('Your booking is soon');
      messaging.clock.set('2026-06-01T12:00:00Z');
    }
  });

  test('whose end was undone is reminded of what is still ahead, once, in whatever order its events come', async () => {
    for (const order of ['in order', 'reversed']) {
      const guest = await messaging.guest();
      const eventOf = bookingEvents(guest);
      await messaging.publish(eventOf(bookingMade));
      await deliverAt(guest, '2026-06-04T14:00:00Z');
      const done = eventOf(bookingDone, { status: 'done', at: '2026-06-05T11:30:00Z' }, 2);
      const reopened = eventOf(bookingReopened, { at: '2026-06-05T11:31:00Z' }, 3);
      for (const event of order === 'reversed' ? [reopened, done, reopened] : [done, reopened, reopened]) await messaging.publish(event);
      await deliverAt(guest, '2026-06-05T12:00:00Z');
      expect((await reminders(guest)).map(({ state, due }) => [due, state]).sort()).toEqual([
        ['06-04 14:00', 'sent'],
        ['06-05 12:00', 'sent'],
        ['06-05 12:00', 'superseded'],
      ]);
      expect(titles(guest).filter((title) => title === 'Your booking is soon')).toHaveLength(2);
      messaging.clock.set('2026-06-01T12:00:00Z');
    }
  });

  test('whose party is at the store after all is reminded of no more', async () => {
    const guest = await messaging.guest();
    const eventOf = bookingEvents(guest);
    await messaging.publish(eventOf(bookingMade), eventOf(bookingReopened, { status: 'arrived' }, 3));
    expect((await reminders(guest)).filter(({ due }) => due === '06-05 12:00')).toHaveLength(1);
    await deliverAt(guest, '2026-06-05T12:00:00Z');
    expect(titles(guest)).not.toContain('Your booking is soon');
  });

  test('of a customer who wants no reminders has none, and gets messages about its other changes', async () => {
    const guest = await messaging.guest();
    await messaging.running.service.database.query(sql.type(z.object({}))`
      insert into preference (customer_id, store_id, class_reminders) values (${guest.customerId}, ${guest.storeId}, false)`);
    await messaging.publish(bookingEvents(guest)(bookingMade));
    for (const at of ['2026-06-04T14:00:00Z', '2026-06-05T12:00:00Z']) await deliverAt(guest, at);
    expect((await reminders(guest)).map(({ state, reason }) => [state, reason])).toEqual(Array(2).fill(['muted', 'unwanted']));
    expect(titles(guest)).toEqual(['You have a booking']);
  });

  test('of a guest is reminded of by a text to the number that the queue has, and nothing is said of what they did', async () => {
    const guest = await messaging.guest();
    const ref = randomUUID();
    const phone = '+447700900456';
    messaging.guestPhones.set(ref, phone);
    await messaging.publish(bookingEvents(guest, null, ref)(bookingMade));
    await deliverAt(guest, '2026-06-04T14:00:00Z');
    expect(messaging.sandbox.inbox.to(phone)).toMatchObject([{ by: 'twilio', text: expect.stringContaining('5 June 2026 at 16:00') }]);
  });

  test('of the same day, or that waits for the store, has only the reminders that are of use', async () => {
    const guest = await messaging.guest();
    const soon = { starts_at: '2026-06-01T16:00:00Z', ends_at: '2026-06-01T16:25:00Z' };
    const events: Envelope[] = [
      bookingEvents(guest)(bookingMade, soon),
      bookingEvents(guest)(bookingMade, { starts_at: '2026-06-01T14:30:00Z', ends_at: '2026-06-01T15:00:00Z' }),
      bookingEvents(guest)(bookingMade, { status: 'requested' }),
    ];
    await messaging.publish(...events);
    expect((await reminders(guest)).map(({ due }) => due)).toEqual(['06-01 14:00']);
  });
});

test('every reminder of a year of weekly classes is at the class’s own time of day, also across the changes of the clocks', () => {
  const zone = 'Europe/Paris';
  const first = Temporal.PlainDateTime.from('2026-01-05T09:00');
  const local = (instant: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString();
  const shifted = [...Array(371).keys()].filter((day) => {
    const starts = first.add({ days: day });
    const booking = {
      booking_ref: 'b',
      session_id: 's',
      store_id: 's',
      customer_id: 'c',
      service_name: 'Yoga',
      party_size: 1,
      places: 12,
      ...({ previous_starts_at: null, time_zone: zone, by_id: null, status: 'booked', cause: 'owner', no_shows: null } as const),
      starts_at: starts.toZonedDateTime(zone).toInstant().toString(),
      ends_at: starts.add({ hours: 1 }).toZonedDateTime(zone).toInstant().toString(),
      at: '2026-01-01T00:00:00Z',
    };
    const [day1, hours] = remindersOf(booking);
    expect([local(day1?.dueAt ?? ''), local(hours?.dueAt ?? '')]).toEqual([
      starts.subtract({ days: 1 }).toString(),
      starts.subtract({ hours: 2 }).toString(),
    ]);
    return Date.parse(booking.starts_at) - Date.parse(day1?.dueAt ?? '') !== 86_400_000;
  });
  expect(shifted).toHaveLength(2);
});
