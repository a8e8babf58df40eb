import type { Transaction } from '@corner/chassis';
import { Problem, stampUndone } from '@corner/contracts';
import { undoRefusal } from '../rules/reviews.ts';
import type { CardKey } from '../tables/cards.ts';
import { findGrantedStamp, markUndone } from '../tables/stamp-changes.ts';
import { changeCard } from './change-card.ts';

/**
 * Undoes an unused stamp that was granted at the counter. Returns the number of stamps left. A stamp that was undone already is left
 * unchanged. Throws STAMP_NOT_FOUND, STAMP_NOT_UNDOABLE and STAMP_ALREADY_USED.
 */
export async function undoStamp(tx: Transaction, key: CardKey, stampId: string): Promise<number> {
  return await changeCard(tx, key, async (card) => {
    if (!card) throw new Problem('STAMP_NOT_FOUND');
    const { undone, stampCount } = await markUndone(tx, card, stampId);
    if (undone) {
      card.events.addStamp(stampUndone, { stampId, source: 'hub', stampCount, goal: card.goal });
      return stampCount;
    }
    const refusal = undoRefusal(await findGrantedStamp(tx, card, stampId));
    if (refusal) throw new Problem(refusal);
    return stampCount;
  });
}
