import { type EventHandler, on } from '@corner/chassis';
import { type EventContract, multiStampConfirmed, type StampData } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { keepStamps } from '../tables/cards.ts';

/** A card’s passes show its stamps as the newest news of them counts. */
export const keepStampsWhen = (event: EventContract<typeof StampData>): EventHandler<Context> =>
  on(event, async ({ data, sequence }, tx, { now }: Context) => {
    const { customer_id: customerId, store_id: storeId, stamp_count: stamps, goal } = data;
    if (customerId) await keepStamps(tx, { customerId, storeId, sequence, stamps, goal }, now());
  });

/** Several stamps at once count as one change. News numbered by something other than the card cannot be put in the card’s order. */
export const keepStampsWhenSeveralConfirmed = on(multiStampConfirmed, async ({ data, sequence, subject }, tx, { now }: Context) => {
  const { customer_id: customerId, store_id: storeId, stamp_count: stamps, goal } = data;
  if (subject === `${storeId}:${customerId}`) await keepStamps(tx, { customerId, storeId, sequence, stamps, goal }, now());
});
