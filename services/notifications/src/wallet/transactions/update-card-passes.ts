import type { EventTask, Signal, Transaction } from '@corner/chassis';
import type { DataOf, EventOf, multiStampConfirmed, stampApproved } from '@corner/contracts';
import { type Card, upsertCards } from '../tables/cards.ts';
import { raiseForChanges } from './raise-for-changes.ts';

/** Returns a card's count after an event; null for a stamp without a customer, which has no card. */
export function cardOf({ data, sequence }: StampEvent | MultiStampEvent): Card | null {
  const { customer_id: customerId, store_id: storeId, stamp_count: stamps, goal } = data;
  return customerId ? { customerId, storeId, sequence, stamps, goal } : null;
}

/** Applies the stamp counts of cards to their passes in one statement. Of a card the event with the highest sequence wins. */
export async function updateCardPasses(tasks: readonly EventTask<Card | null>[], tx: Transaction, { passSignal }: Pushing): Promise<void> {
  const cards = tasks.flatMap(({ task }) => task ?? []);
  if (cards.length > 0) raiseForChanges(tx, await upsertCards(tx, cards), passSignal);
}

interface Pushing {
  readonly passSignal: Signal;
}
type StampEvent = Pick<EventOf<typeof stampApproved>, 'sequence'> & { readonly data: DataOf<typeof stampApproved> };
type MultiStampEvent = Pick<EventOf<typeof multiStampConfirmed>, 'sequence'> & { readonly data: DataOf<typeof multiStampConfirmed> };
