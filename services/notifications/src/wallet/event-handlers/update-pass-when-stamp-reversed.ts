import { onAll } from '@corner/chassis';
import { stampReversed } from '@corner/contracts';
import { cardOf, updateCardPasses } from '../transactions/update-card-passes.ts';

/** Updates the card’s pass when a refund takes a stamp back. */
export const updatePassWhenStampReversed = onAll(stampReversed, cardOf, updateCardPasses);
