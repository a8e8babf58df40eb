import {
  type Envelope,
  queueCalled,
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
import { cardNews } from '../testing/card-events.ts';
import { type Guest, type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderNews } from '../testing/order-events.ts';
import { queueNews } from '../testing/queue-events.ts';

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

/** Each event that makes a message: by which way it goes to somebody with both, what switches it off, and what it says. */
const told: readonly Row[] = [
  ['order.paid', (g) => orderNews(g).paid(), 'smtp', null, 'Receipt for order S1-1001', /£12\.50.*S1-1001/],
  ['order accepted', (g) => orderNews(g).moved('accepted'), 'fcm', null, 'Order S1-1001 is accepted', /code 4821/],
  ['order ready', (g) => orderNews(g).moved('ready'), 'fcm', null, 'Order S1-1001 is ready', /code 4821/],
  ['order.status_changed', (g) => orderNews(g).status('ready'), 'fcm', null, 'Order S1-1001 is ready', /is ready\.$/],
  ['order.cancelled', (g) => orderNews(g).cancelled(), 'fcm', null, 'Order S1-1001 was cancelled', /Bea’s Bakery/],
  ['order.refunded', (g) => orderNews(g).refunded(), 'smtp', null, 'Refund for order S1-1001', /€2\.50/],
  ['order.running_late', (g) => orderNews(g).late(), 'fcm', null, 'Order S1-1001 is running late', /15:30/],
  ['order.slot_moved', (g) => orderNews(g).slotMoved(), 'fcm', null, 'Order S1-1001 can be collected earlier', /14:45/],
  ['stamp.pending', (g) => cardNews(g).stamp(stampPending), 'fcm', 'stamp_events_enabled', 'A stamp is being checked', /confirm/],
  ['stamp.approved', (g) => cardNews(g).stamp(stampApproved), 'fcm', 'stamp_events_enabled', 'You have a new stamp', /4 of 10/],
  ['stamp.rejected', (g) => cardNews(g).stamp(stampRejected), 'fcm', 'stamp_events_enabled', 'A stamp was not confirmed', /4 of 10/],
  ['stamp.undone', (g) => cardNews(g).stamp(stampUndone), 'fcm', 'stamp_events_enabled', 'A stamp was taken back', /corrected.*4 of 10/],
  ['stamp.reversed', (g) => cardNews(g).stamp(stampReversed), 'fcm', 'stamp_events_enabled', 'A stamp was taken back', /refunded/],
  ['multi_stamp.confirmed', (g) => cardNews(g).several(), 'fcm', 'stamp_events_enabled', 'You have 3 stamps more', /7 of 10/],
  [
    'voucher.minted',
    (g) => cardNews(g).voucher(voucherMinted),
    'fcm',
    'voucher_events_enabled',
    'You earned a reward',
    /A free coffee.*K7Q2/,
  ],
  ['voucher.redeemed', (g) => cardNews(g).voucher(voucherRedeemed), 'fcm', 'voucher_events_enabled', 'Your voucher was used', /K7Q2/],
  ['voucher.restored', (g) => cardNews(g).voucher(voucherRestored), 'fcm', 'voucher_events_enabled', 'Your voucher is good again', /K7Q2/],
  ['voucher.voided', (g) => cardNews(g).voucher(voucherVoided), 'fcm', 'voucher_events_enabled', 'A voucher is no longer valid', /K7Q2/],
  ['voucher.expired', (g) => cardNews(g).voucher(voucherExpired), 'fcm', 'voucher_events_enabled', 'A voucher has expired', /K7Q2/],
  ['queue.called', (g) => queueNews(g)(queueCalled, 1, hold), 'fcm', null, 'It is your turn', /until 14:05/],
  ['queue.no_show', (g) => queueNews(g)(queueNoShow), 'fcm', 'penalty_events_enabled', 'You missed your turn', /Bea’s Bakery/],
];

/** Switches everything off that can be, or everything but one. */
async function switchOff({ customerId, storeId }: Guest, but: Column | null = null): Promise<void> {
  const on = (column: Column) => sql.fragment`${column === but}`;
  await messaging.running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, messages_muted, class_reminders, class_events_enabled, membership_events_enabled,
      voucher_events_enabled, stamp_events_enabled, penalty_events_enabled)
    values (${customerId}, ${storeId}, true, false, false, false, ${on('voucher_events_enabled')}, ${on('stamp_events_enabled')},
      ${on('penalty_events_enabled')})`);
}

/** Past what messages wait for newer ones, and before a call lapses. */
const settled = async (event: Envelope) => {
  messaging.advance({ seconds: 3 });
  const errands = await messaging.errandsOf(event);
  messaging.clock.advance({ seconds: -3 });
  return errands;
};

describe.each(told)('%s', (_, news, by, column, title, text) => {
  test('reaches the customer once, however often it is heard', async () => {
    const guest = await messaging.guest();
    await switchOff(guest, column);
    const event = news(guest);
    await messaging.publish(event, event, event);
    expect(await settled(event)).toEqual([expect.objectContaining({ state: 'sent', attempts: 1 })]);
    const again = { ...event, id: event.id };
    await messaging.publish(again);
    expect(messaging.received(guest)).toEqual([expect.objectContaining({ by, title, text: expect.stringMatching(text) })]);
  });

  test(column ? 'stays unsaid when it is switched off' : 'cannot be switched off', async () => {
    const guest = await messaging.guest();
    const event = news(guest);
    await switchOff(guest);
    await messaging.publish(event);
    const state = column ? { state: 'muted', reason: 'unwanted' } : { state: 'sent' };
    expect(await settled(event)).toEqual([expect.objectContaining(state)]);
    expect(messaging.received(guest)).toHaveLength(column ? 0 : 1);
  });
});
