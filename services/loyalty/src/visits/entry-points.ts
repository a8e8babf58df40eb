import { on, onAll } from '@corner/chassis';
import { bookingDone, bookingReopened, queueCompleted, queueReopened } from '@corner/contracts';
import { stampVisits, takeBackVisit } from './transactions.ts';

export const stampVisitWhenQueueCompleted = onAll(queueCompleted, ({ data, sequence }) => ({ ...data, sequence }), stampVisits);

export const takeBackVisitWhenQueueReopened = on(queueReopened, ({ data, sequence }, tx) => takeBackVisit(tx, { ...data, sequence }));

export const stampVisitWhenBookingDone = onAll(
  bookingDone,
  ({ data, sequence }) => ({ ...data, entry_ref: data.booking_ref, sequence }),
  stampVisits,
);

export const takeBackVisitWhenBookingReopened = on(bookingReopened, ({ data, sequence }, tx) =>
  takeBackVisit(tx, { ...data, entry_ref: data.booking_ref, sequence }),
);
