import type { Transaction } from '@corner/chassis';
import type { DataOf, depositPaid } from '@corner/contracts';
import { statusOf } from '../../rules/bookings.ts';
import { markDepositPaid } from '../../tables/deposits.ts';
import { type Booking, findBookingById } from '../../tables/session-bookings.ts';
import { lockQueue } from '../lock-queue.ts';
import { bookerOf, bookPlace } from './accept-place.ts';
import { applyStep } from './change-booking.ts';
import { publishReturned } from './return-deposit.ts';
import { offerPlaces } from './waitlist.ts';

type PaidDeposit = DataOf<typeof depositPaid>;

/**
 * An order has paid a deposit: books the time that its booking keeps. Asks for the refund of an order of another customer, of another
 * item, of a booking that waits for no deposit, or no more. A repeat changes nothing.
 */
export async function takeDeposit(tx: Transaction, paid: PaidDeposit): Promise<void> {
  const { order_id: orderId, store_id: storeId, booking_ref: bookingRef } = paid;
  await lockQueue(tx, storeId);
  const booking = await findBookingById(tx, storeId, bookingRef);
  if (booking?.deposit?.order_id === orderId) return;
  if (!booking || !isDue(booking, paid)) {
    await publishReturned(tx, { orderId, storeId, bookingRef, cause: 'not_due' });
    return;
  }
  await markDepositPaid(tx, booking.id, orderId);
  await bookPlace(tx, booking, { status: statusOf(await bookerOf(tx, booking)), by: null });
}

const isDue = ({ status, customer_id, deposit }: Booking, paid: PaidDeposit): boolean =>
  status === 'unpaid' && customer_id === paid.customer_id && deposit?.item_id === paid.menu_item_id;

/** Frees the time of a booking whose deposit was not paid, for the first in line; one that was paid meanwhile keeps it. */
export async function dropUnpaid(tx: Transaction, { store_id: storeId, id }: Pick<Booking, 'store_id' | 'id'>): Promise<void> {
  await lockQueue(tx, storeId);
  const booking = await findBookingById(tx, storeId, id);
  if (booking?.status !== 'unpaid') return;
  await applyStep(tx, booking, { step: 'cancel', by: null, detail: null, kind: 'booking_lapsed' });
  await offerPlaces(tx, booking);
}
