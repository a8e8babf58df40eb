import {
  type Envelope,
  queueCalled,
  queueLeft,
  queueNoShow,
  stampApproved,
  stampPending,
  stampRejected,
  stampReversed,
  stampUndone,
  voucherExpired,
  voucherMinted,
  voucherRedeemed,
  voucherRestored,
  voucherVoided,
} from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { cardEvents } from './testing/card-events.ts';
import { type Guest, type Messaging, startMessaging } from './testing/messaging.ts';
import { orderEvents } from './testing/order-events.ts';
import { queueEvents } from './testing/queue-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

const hold = '2026-06-01T12:05:00Z';
type Column = 'stamp_events_enabled' | 'voucher_events_enabled' | 'penalty_events_enabled';
type Row = readonly [string, (guest: Guest) => Envelope, 'smtp' | 'fcm', Column | null, string, RegExp];

/**
 * Each event that makes a message: the channel to a customer who has both, the preference that switches it off, its title and its text.
 */
const messageEvents: readonly Row[] = [
  ['order.paid', (g) => orderEvents(g).paid(), 'smtp', null, 'Receipt for order S1-1001', /£12\.50.*S1-1001/],
  ['order accepted', (g) => orderEvents(g).moved('accepted'), 'fcm', null, 'Order S1-1001 is accepted', /code 4821/],
  ['order ready', (g) => orderEvents(g).moved('ready'), 'fcm', null, 'Order S1-1001 is ready', /code 4821/],
  ['order.status_changed', (g) => orderEvents(g).status('ready'), 'fcm', null, 'Order S1-1001 is ready', /is ready\.$/],
  ['order.cancelled', (g) => orderEvents(g).cancelled(), 'fcm', null, 'Order S1-1001 was cancelled', /Bea’s Bakery/],
  ['order.refunded', (g) => orderEvents(g).refunded(), 'smtp', null, 'Refund for order S1-1001', /£2\.50/],
  [
    'order.refund_failed',
    (g) => orderEvents(g).refundFailed(),
    'smtp',
    null,
    'Your refund for order S1-1001 did not arrive',
    /£2\.50.*need not do anything/,
  ],
  ['order.running_late', (g) => orderEvents(g).late(), 'fcm', null, 'Order S1-1001 is running late', /15:30/],
  ['order.slot_moved', (g) => orderEvents(g).slotMoved(), 'fcm', null, 'You can collect order S1-1001 earlier', /14:45/],
  ['stamp.pending', (g) => cardEvents(g).stamp(stampPending), 'fcm', 'stamp_events_enabled', 'Your stamp is being checked', /confirm/],
  ['stamp.approved', (g) => cardEvents(g).stamp(stampApproved), 'fcm', 'stamp_events_enabled', 'You have a new stamp', /4 of 10/],
  ['stamp.rejected', (g) => cardEvents(g).stamp(stampRejected), 'fcm', 'stamp_events_enabled', 'A stamp was not confirmed', /4 of 10/],
  ['stamp.undone', (g) => cardEvents(g).stamp(stampUndone), 'fcm', 'stamp_events_enabled', 'A stamp was removed', /corrected.*4 of 10/],
  ['stamp.reversed', (g) => cardEvents(g).stamp(stampReversed), 'fcm', 'stamp_events_enabled', 'A stamp was removed', /refunded/],
  ['multi_stamp.confirmed', (g) => cardEvents(g).several(), 'fcm', 'stamp_events_enabled', 'You have 3 more stamps', /7 of 10/],
  [
    'voucher.minted',
    (g) => cardEvents(g).voucher(voucherMinted),
    'fcm',
    'voucher_events_enabled',
    'You earned a reward',
    /A free coffee.*K7Q2/,
  ],
  ['voucher.redeemed', (g) => cardEvents(g).voucher(voucherRedeemed), 'fcm', 'voucher_events_enabled', 'Your voucher was used', /K7Q2/],
  [
    'voucher.restored',
    (g) => cardEvents(g).voucher(voucherRestored),
    'fcm',
    'voucher_events_enabled',
    'Your voucher is valid again',
    /K7Q2/,
  ],
  ['voucher.voided', (g) => cardEvents(g).voucher(voucherVoided), 'fcm', 'voucher_events_enabled', 'A voucher is no longer valid', /K7Q2/],
  ['voucher.expired', (g) => cardEvents(g).voucher(voucherExpired), 'fcm', 'voucher_events_enabled', 'Your voucher has expired', /K7Q2/],
  [
    'voucher.expiring',
    (g) => cardEvents(g).expiring('2026-06-08T21:59:59Z'),
    'fcm',
    'voucher_events_enabled',
    'Your voucher expires soon',
    /until Mon,? 8 Jun, 23:59.*K7Q2/,
  ],
  ['queue.called', (g) => queueEvents(g)(queueCalled, 1, hold), 'fcm', null, 'It is your turn', /until 14:05/],
  ['queue.left at closing', (g) => queueEvents(g)(queueLeft, 1, null, 'closing'), 'fcm', null, 'The queue has closed', /Bea’s Bakery/],
  ['queue.no_show', (g) => queueEvents(g)(queueNoShow), 'fcm', 'penalty_events_enabled', 'You missed your turn', /Bea’s Bakery/],
];

/** Switches off every preference except `but`. */
async function switchOff({ customerId, storeId }: Guest, but: Column | null = null): Promise<void> {
  const on = (column: Column) => sql.fragment`${column === but}`;
  await messaging.running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, messages_muted, class_reminders, class_events_enabled, membership_events_enabled,
      voucher_events_enabled, stamp_events_enabled, penalty_events_enabled)
    values (${customerId}, ${storeId}, true, false, false, false, ${on('voucher_events_enabled')}, ${on('stamp_events_enabled')},
      ${on('penalty_events_enabled')})`);
}

/** Returns an event's messages after the wait for newer ones; then moves the clock back, so that no call has expired. */
const settledMessages = async (event: Envelope) => {
  messaging.advance({ seconds: 3 });
  const messages = await messaging.messagesOf(event);
  messaging.clock.advance({ seconds: -3 });
  return messages;
};

describe.each(messageEvents)('%s', (_, createEvent, by, column, title, text) => {
  test('sends the customer one message, however often it is delivered', async () => {
    const guest = await messaging.guest();
    await switchOff(guest, column);
    const event = createEvent(guest);
    await messaging.publish(event, event, event);
    expect(await settledMessages(event)).toEqual([expect.objectContaining({ state: 'sent', attempts: 1 })]);
    const again = { ...event, id: event.id };
    await messaging.publish(again);
    expect(messaging.received(guest)).toEqual([expect.objectContaining({ by, title, text: expect.stringMatching(text) })]);
  });

  test(column ? 'sends no message when its preference is off' : 'sends its message although every preference is off', async () => {
    const guest = await messaging.guest();
    const event = createEvent(guest);
    await switchOff(guest);
    await messaging.publish(event);
    const state = column ? { state: 'muted', reason: 'unwanted' } : { state: 'sent' };
    expect(await settledMessages(event)).toEqual([expect.objectContaining(state)]);
    expect(messaging.received(guest)).toHaveLength(column ? 0 : 1);
  });
});
