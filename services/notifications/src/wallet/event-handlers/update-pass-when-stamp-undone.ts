import { on } from '@corner/chassis';
import { stampUndone } from '@corner/contracts';
import { updateCardPass } from '../transactions/update-card-pass.ts';

/** Updates the card’s pass when the store removes a stamp. */
export const updatePassWhenStampUndone = on(stampUndone, (event, tx) => updateCardPass(tx, event));
