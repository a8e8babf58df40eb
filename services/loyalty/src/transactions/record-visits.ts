import type { EventTask, Transaction } from '@corner/chassis';
import { type CardKey, insertCardEvents, upsertVisits } from '../tables/cards.ts';
import { cardEvents } from './card-events.ts';

/** Records that customers did something at stores, where nothing else of their cards changes. A guest has no card. */
export async function recordVisits(visits: readonly EventTask<Visit>[], tx: Transaction): Promise<void> {
  const ofCustomers = visits.flatMap(({ task: { store_id: storeId, customer_id: customerId, at }, within }) =>
    customerId === null ? [] : [{ storeId, customerId, at, within }],
  );
  if (ofCustomers.length === 0) return;
  for (const key of await upsertVisits(tx, ofCustomers)) {
    const first = ofCustomers.find(({ storeId, customerId }) => storeId === key.storeId && customerId === key.customerId);
    await first?.within(() => insertCardEvents(tx, key, cardEvents(key, 0).entries));
  }
}

/** Records that a customer did something at a store at a given time (ISO 8601). */
export const recordVisit = (tx: Transaction, { storeId, customerId }: CardKey, at: string): Promise<void> =>
  recordVisits([{ task: { store_id: storeId, customer_id: customerId, at }, within: (work) => work() }], tx);

interface Visit {
  readonly store_id: string;
  /** Null for a guest. */
  readonly customer_id: string | null;
  /** ISO 8601. */
  readonly at: string;
}
