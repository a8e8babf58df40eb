import type { DataOf, directoryStaff } from '@corner/contracts';

type Staff = DataOf<typeof directoryStaff>;

/** A member's cards that are good: at a store where they work, and nowhere said to be revoked. */
export function goodCards({ stores, cards }: Pick<Staff, 'stores' | 'cards'>): Staff['cards'] {
  const worksAt = new Set(stores.map(({ id }) => id));
  const revoked = new Set(cards.filter((card) => card.revoked).map(({ token_id }) => token_id));
  return cards.filter(({ token_id, store_id }) => worksAt.has(store_id) && !revoked.has(token_id));
}
