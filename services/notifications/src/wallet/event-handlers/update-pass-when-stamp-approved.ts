import { on } from '@corner/chassis';
import { stampApproved } from '@corner/contracts';
import { updateCardPass } from '../transactions/update-card-pass.ts';

/** Updates the card’s pass when a stamp is approved. */
export const updatePassWhenStampApproved = on(stampApproved, (event, tx) => updateCardPass(tx, event));
