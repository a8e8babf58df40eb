import { erasingOf, handleRpc, on } from '@corner/chassis';
import {
  depositPaid,
  directoryBooking,
  directoryCustomer,
  directoryFloor,
  directoryStore,
  orderRefunded,
  orderRefundFailed,
  Problem,
  queueGuest,
} from '@corner/contracts';
import type { Context } from './context.ts';
import { makeClassesAhead } from './sagas.ts';
import { findOverdueDeposits, noteRefund } from './tables/deposits.ts';
import { saveBooking, saveCustomer, saveFloor, saveStore } from './tables/directory.ts';
import { findStoresWithOverdueEntries } from './tables/entries.ts';
import { eraseCustomer, exportedSections } from './tables/erasure.ts';
import { eraseGuestDetails, findGuestPhone } from './tables/guests.ts';
import { findDueLines } from './tables/session-bookings.ts';
import { findStoresWithWeeklyClasses } from './tables/weekly-classes.ts';
import { dropUnpaid, takeDeposit } from './transactions/bookings/take-deposit.ts';
import { offerPlaces } from './transactions/bookings/waitlist.ts';
import { lockQueue, readCurrentQueue } from './transactions/lock-queue.ts';

export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));

/** Ids are saved in lower case: inside JSON they are text to Postgres, and must equal the ids in uuid columns. */
export const projectFloor = on(directoryFloor, ({ data }, tx) =>
  saveFloor(tx, {
    ...data,
    services: data.services.map((service) => ({ ...service, id: service.id.toLowerCase() })),
    units: data.units.map((unit) => ({ ...unit, id: unit.id.toLowerCase(), service_ids: unit.service_ids.map((id) => id.toLowerCase()) })),
  }),
);

export const projectBooking = on(directoryBooking, ({ data }, tx) => saveBooking(tx, data));

export const projectCustomer = on(directoryCustomer, ({ data }, tx) => saveCustomer(tx, data));

export const takeDepositWhenPaid = on(depositPaid, ({ data }, tx) => takeDeposit(tx, data));

/** A part of a deposit that staff refund leaves it paid. */
export const noteDepositWhenOrderRefunded = on(orderRefunded, async ({ data }, tx) => {
  if (data.full) await noteRefund(tx, data.order_id, 'refunded');
});

export const noteDepositWhenRefundFailed = on(orderRefundFailed, async ({ data }, tx) => {
  if (data.was_full) await noteRefund(tx, data.order_id, 'paid');
});

/** How long after its end an entry's number is returned, in milliseconds: its last message may need a few attempts. */
const reachableAfterEnd = 3_600_000;

/** Returns the phone number given for an entry that is active or ended less than an hour ago; null when none was given. */
export const handleQueueGuest = handleRpc(queueGuest, async ({ entry_ref }, { database, now }: Context) => {
  const found = await findGuestPhone(database, entry_ref, new Date(now().getTime() - reachableAfterEnd));
  if (!found) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  return { phone: found.guest_phone };
});

/** Ends lapsed calls, waits that outlasted the store's day, and abandoned chairs. Locks the queue of one store at a time. */
export async function endOverdue({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  const time = now();
  for (const storeId of await findStoresWithOverdueEntries(database, time)) await readCurrentQueue(database, storeId, time);
}

/**
 * Ends bookings whose deposit was not paid in time, offers places that were not accepted in time to the next in line, and ends the line of
 * each class that has begun.
 */
export async function passPlaces({ database, now, log }: Pick<Context, 'database' | 'now' | 'log'>): Promise<void> {
  for (const unpaid of await findOverdueDeposits(database, now()))
    await database
      .transaction((tx) => dropUnpaid(tx, unpaid))
      .catch((error: unknown) => log.warn({ err: error, booking_ref: unpaid.id }, 'a booking that is not paid could not be ended yet'));
  for (const line of await findDueLines(database, now()))
    await database
      .transaction(async (tx) => {
        await lockQueue(tx, line.store_id);
        await offerPlaces(tx, line);
      })
      .catch((error: unknown) => log.warn({ err: error, ...line }, 'the waiting list of a class could not go on yet'));
}

/** Makes the classes of days that have come within 14 days, and of those on which none was possible before. Safe to run twice at once. */
export async function makeWeeklyClasses(context: Pick<Context, 'database' | 'now' | 'log'>): Promise<void> {
  for (const storeId of await findStoresWithWeeklyClasses(context.database)) await makeClassesAhead(context, storeId, null);
}

export const eraseGuests = async ({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> =>
  await eraseGuestDetails(database, now());

/** An erased customer's place stays in the queue and in the figures, without a name. */
export const erasing = erasingOf<Context>('queue', {
  async erase(tx, customerId) {
    const { entries, bookings, names, texts } = await eraseCustomer(tx, customerId);
    return [
      ...(names > 0 ? ['The name was deleted.'] : []),
      ...(entries > 0 ? [`Name and phone number were dropped from ${entries} places in queues.`] : []),
      ...(bookings > 0 ? [`Name and phone number were dropped from ${bookings} bookings.`] : []),
      ...(texts > 0 ? [`${texts} texts that staff wrote about a place or a booking were dropped.`] : []),
    ];
  },
  kept: [
    {
      what: 'Places in queues: when, how long, for how many people. They have a random number in place of the person.',
      why: 'The figures of waits at a store are made of them. Nothing says any more whose number it was.',
      how_long: 'As long as the store is there.',
    },
    {
      what: 'Bookings: when, for what, for how many people. They have a random number in place of the person.',
      why: 'They are the diary of a store.',
      how_long: 'As long as the store is there.',
    },
  ],
  sections: exportedSections,
});
