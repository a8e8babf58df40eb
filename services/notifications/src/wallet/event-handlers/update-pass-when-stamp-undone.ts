import { onAll } from '@corner/chassis';
import { stampUndone } from '@corner/contracts';
import { cardOf, updateCardPasses } from '../transactions/update-card-passes.ts';

/** Updates the card’s pass when the store removes a stamp. */
export const updatePassWhenStampUndone = onAll(stampUndone, cardOf, updateCardPasses);
