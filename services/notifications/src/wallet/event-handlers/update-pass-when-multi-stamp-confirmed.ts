import { onAll } from '@corner/chassis';
import { multiStampConfirmed } from '@corner/contracts';
import { cardOf, updateCardPasses } from '../transactions/update-card-passes.ts';

/**
 * Updates the card’s pass when several stamps are confirmed at once. An event whose sequence does not count the card’s own changes cannot
 * be ordered among them and is skipped.
 */
export const updatePassWhenMultiStampConfirmed = onAll(
  multiStampConfirmed,
  (event) => (event.subject === `${event.data.store_id}:${event.data.customer_id}` ? cardOf(event) : null),
  updateCardPasses,
);
