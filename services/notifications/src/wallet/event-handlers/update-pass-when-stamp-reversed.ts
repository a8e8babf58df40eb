import { on } from '@corner/chassis';
import { stampReversed } from '@corner/contracts';
import { updateCardPass } from '../transactions/update-card-pass.ts';

/** Updates the card’s pass when a refund takes a stamp back. */
export const updatePassWhenStampReversed = on(stampReversed, (event, tx) => updateCardPass(tx, event));
