import type { Transaction } from '@corner/chassis';
import { payBefore } from '../../rules/bookings.ts';
import { insertDeposit } from '../../tables/deposits.ts';
import type { Booking } from '../../tables/session-bookings.ts';

/** The booking, which is `unpaid`, keeps its time until its deposit is overdue. */
export const awaitDeposit = (tx: Transaction, { id, starts_at }: Pick<Booking, 'id' | 'starts_at'>, itemId: string): Promise<void> =>
  insertDeposit(tx, { bookingId: id, itemId, payBefore: payBefore(tx.now.getTime(), Date.parse(starts_at)) });
