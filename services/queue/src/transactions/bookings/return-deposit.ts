import { outboxEntry, type Transaction } from '@corner/chassis';
import { type DataOf, depositReturned } from '@corner/contracts';
import { endDeposit, publishOnce } from '../../tables/deposits.ts';
import type { Booking } from '../../tables/session-bookings.ts';

/** Ends the deposit of a booking that is cancelled, and asks for its refund when it was paid. */
export async function returnDeposit(tx: Transaction, { id, store_id: storeId }: Pick<Booking, 'id' | 'store_id'>): Promise<void> {
  const orderId = await endDeposit(tx, id);
  if (orderId !== null) await publishReturned(tx, { orderId, storeId, bookingRef: id, cause: 'cancelled' });
}

/** Asks for the refund of an order, once: the order is the aggregate. */
export async function publishReturned(tx: Transaction, { orderId, storeId, bookingRef, cause }: Returned): Promise<void> {
  const data = { order_id: orderId, booking_ref: bookingRef, store_id: storeId, cause, at: tx.now.toISOString() };
  await publishOnce(tx, outboxEntry(depositReturned, { aggregateId: orderId, sequence: 1, storeId, data }), orderId);
}

interface Returned {
  readonly orderId: string;
  readonly storeId: string;
  readonly bookingRef: string;
  readonly cause: DataOf<typeof depositReturned>['cause'];
}
