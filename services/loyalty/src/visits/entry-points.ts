import { on, onAll } from '@corner/chassis';
import { bookingDone, bookingReopened, queueCompleted, queueReopened } from '@corner/contracts';
import { stampVisits, takeBackVisit } from './transactions.ts';

/** Records the visits of customers whom a store served from its queue, and stamps them where its programme rewards visits. */
export const stampVisitWhenQueueCompleted = onAll(queueCompleted, ({ data, sequence }) => ({ ...data, sequence }), stampVisits);

/** Takes back the stamp of a visit when staff undo its completion. */
export const takeBackVisitWhenQueueReopened = on(queueReopened, ({ data, sequence }, tx) => takeBackVisit(tx, { ...data, sequence }));

/** Records and stamps the visits of customers whom a store served with a booking, as those of its queue. */
export const stampVisitWhenBookingDone = onAll(
  bookingDone,
  ({ data, sequence }) => ({ ...data, entry_ref: data.booking_ref, sequence }),
  stampVisits,
);

/** Takes back the stamp of a booking that is undone. */
export const takeBackVisitWhenBookingReopened = on(bookingReopened, ({ data, sequence }, tx) =>
  takeBackVisit(tx, { ...data, entry_ref: data.booking_ref, sequence }),
);
