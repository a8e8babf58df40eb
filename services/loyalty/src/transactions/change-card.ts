import type { Transaction } from '@corner/chassis';
import { type CardKey, insertCardEvents, lockCardRow, type Programme } from '../tables/cards.ts';
import { type CardEvents, cardEvents } from './card-events.ts';

/**
 * Locks a card, creating it first when there is none, runs `work`, and publishes what `work` added to the card's events, with one
 * statement. With `quota` it locks the store's quota before the card. `work` gets null for a store without a programme, or one the
 * directory has not published yet: nothing is earned there.
 */
export async function changeCard<Result>(
  tx: Transaction,
  { storeId, customerId }: CardKey,
  work: (card: LockedCard | null) => Promise<Result>,
  { quota = false }: { readonly quota?: boolean } = {},
): Promise<Result> {
  const key = { storeId, customerId };
  const { version, programme } = await lockCardRow(tx, key, { quota });
  const events = cardEvents(key, version);
  const result = await work(programme && { ...programme, ...key, events });
  await insertCardEvents(tx, key, events.entries);
  return result;
}

/** A card locked for a change, with its store's programme. Its events are published after the change. */
export interface LockedCard extends Programme, CardKey {
  readonly events: CardEvents;
}
