import type { DataOf, directoryStaff } from '@corner/contracts';

type Staff = DataOf<typeof directoryStaff>;

/** Returns the auth cards that are valid: those for a store where the member works, and whose token is revoked nowhere. */
export function validCards({ stores, cards }: Pick<Staff, 'stores' | 'cards'>): Staff['cards'] {
  const worksAt = new Set(stores.map(({ id }) => id));
  const revoked = new Set(cards.filter((card) => card.revoked).map(({ token_id }) => token_id));
  return cards.filter(({ token_id, store_id }) => worksAt.has(store_id) && !revoked.has(token_id));
}

/**
 * Whether a verified staff session is valid at a store. The session lists its stores itself. `revoked` is what the directory says: the
 * session is revoked, or its member does not work at the store. Null: the directory has published no such member.
 */
export const sessionIsValid = (
  session: { readonly storeIds: ReadonlySet<string> },
  storeId: string,
  member: { readonly revoked: boolean } | null,
): boolean => session.storeIds.has(storeId) && member?.revoked === false;
