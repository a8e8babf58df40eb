import type { EventTask, Transaction } from '@corner/chassis';
import type { DataOf, queueCompleted } from '@corner/contracts';
import { insertStamps } from '../card/tables/stamps.ts';
import { changeCard, countStamps, type LockedCard, recordVisits } from '../card/transactions.ts';
import { reinstateStampsOf, takeBackStampsOf } from '../orders/index.ts';
import { enterVisit, storesRewardingVisits, type Visit } from './tables.ts';

export type QueueEvent = Pick<DataOf<typeof queueCompleted>, 'entry_ref' | 'store_id' | 'customer_id' | 'by_id' | 'at'> & {
  readonly sequence: number;
};

/**
 * Records the visits of customers who were served, and stamps them where the programme rewards visits. A guest has no card. Locks the cards
 * in the order of their keys.
 */
export async function stampVisits(served: readonly EventTask<QueueEvent>[], tx: Transaction): Promise<void> {
  await recordVisits(served, tx);
  const ofCustomers = served.filter(({ task }) => task.customer_id !== null);
  if (ofCustomers.length === 0) return;
  const rewarding = new Set(
    await storesRewardingVisits(
      tx,
      ofCustomers.map(({ task }) => task.store_id),
    ),
  );
  for (const { task, within } of ofCustomers) if (rewarding.has(task.store_id)) await within(() => applyVisit(tx, task, true));
}

/** Takes back the stamp of a visit whose completion was undone, also when that arrives before the completion. A no-show had no stamp. */
export const takeBackVisit = (tx: Transaction, event: QueueEvent): Promise<void> => applyVisit(tx, event, false);

async function applyVisit(tx: Transaction, event: QueueEvent, completed: boolean): Promise<void> {
  const { customer_id: customerId, store_id: storeId, entry_ref: ref, sequence, by_id: byId } = event;
  if (customerId === null) return;
  const visit = { ref, storeId, customerId, sequence, completed };
  await changeCard(tx, { ...visit, of: { visitRef: ref } }, async (card) => {
    const entered = await enterVisit(tx, visit);
    if (!card || !entered || entered.earlier === completed) return;
    const origin = { source: 'visit', visitRef: ref, byId } as const;
    if (!completed) return await takeBackStampsOf(tx, card, origin);
    if (!(await reinstateStampsOf(tx, card, origin))) await stamp(tx, card, visit, event);
  });
}

/** Adds the stamp of a visit. It counts toward no limit, as an order's: the store served the customer. */
async function stamp(tx: Transaction, card: LockedCard, { ref }: Visit, { at, by_id: byId }: QueueEvent): Promise<void> {
  if (!card.enabled || card.settings.driver !== 'visits') return;
  const id = tx.newId();
  const balance = await insertStamps(
    tx,
    card,
    [{ id, approved: true, source: 'visit', collectedAt: new Date(at), visitRef: ref }],
    'customer',
  );
  await countStamps(tx, card, { ids: [id], source: 'visit', byId }, balance);
}
