import { derivedUuid, type Operation } from '@corner/chassis';
import { type directory as contracts, type DirectoryObject, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { merged } from '../object/rules/edit-list.ts';
import type { Versioned } from '../object/transactions/change-object.ts';
import { madeBy } from '../object/transactions/object-requests.ts';
import { listBookings as readBookings } from './tables.ts';
import { changeBooking as changeBookingIn } from './transactions.ts';

export const listBookings: Operation<typeof contracts.listBookings, Context> = async ({ params, query }, { database, now }) => {
  const from = query.from === undefined ? now() : new Date(Math.min(Math.max(0, Date.parse(query.from)), latest));
  const page = await readBookings(database, { storeId: params.store_id, from, after: query.after ?? null, limit: query.limit });
  if (!page) throw new Problem('STORE_NOT_FOUND');
  if (!page.cursor_known) throw new Problem('INVALID_CURSOR', { message: 'The store has no booking with the id in after.' });
  return { bookings: page.rows.map(({ version, data }) => ({ ...data, version })) };
};

export const createBooking: Operation<typeof contracts.createBooking, Context> = async (request, { database, newId }) => {
  const made = madeBy('createBooking', request);
  const id = made.requestId === null ? newId() : derivedUuid(`booking:${made.requestId}`);
  const storeId = request.params.store_id;
  const booking = { ...request.body, id, store_id: storeId };
  return bookingReply(
    await database.transaction((tx) => changeBookingIn(tx, { id, storeId, creates: true, ...made, change: () => booking })),
  );
};

export const changeBooking: Operation<typeof contracts.changeBooking, Context> = async (request, { database }) => {
  const { params, body } = request;
  const changed = await database.transaction((tx) =>
    changeBookingIn(tx, {
      id: params.booking_id,
      storeId: params.store_id,
      ...madeBy('changeBooking', request),
      change: (booking) => {
        if (!booking) throw new Problem('BOOKING_NOT_FOUND');
        return merged<DirectoryObject<'booking'>>(booking, body);
      },
    }),
  );
  return bookingReply(changed);
};

/** The last instant that ISO 8601 writes with a year of four digits. */
const latest = Date.parse('9999-12-31T23:59:59.999Z');

const bookingReply = ({ version, data }: Versioned<'booking'>) => ({ version, booking: data });
