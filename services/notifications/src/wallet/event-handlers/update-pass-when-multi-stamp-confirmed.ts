import { on } from '@corner/chassis';
import { multiStampConfirmed } from '@corner/contracts';
import { updateCardPass } from '../transactions/update-card-pass.ts';

/**
 * Updates the card’s pass when several stamps are confirmed at once. An event whose sequence does not count the card’s own changes cannot
 * be ordered among them and is skipped.
 */
export const updatePassWhenMultiStampConfirmed = on(multiStampConfirmed, async (event, tx) => {
  if (event.subject === `${event.data.store_id}:${event.data.customer_id}`) await updateCardPass(tx, event);
});
