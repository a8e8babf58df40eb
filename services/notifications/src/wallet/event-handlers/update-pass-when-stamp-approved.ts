import { onAll } from '@corner/chassis';
import { stampApproved } from '@corner/contracts';
import { cardOf, updateCardPasses } from '../transactions/update-card-passes.ts';

/** Updates the card’s pass when a stamp is approved. */
export const updatePassWhenStampApproved = onAll(stampApproved, cardOf, updateCardPasses);
