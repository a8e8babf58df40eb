import type { DataOf, directoryStaff, ProblemCode } from '@corner/contracts';

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

export type StampStatus = 'pending' | 'approved' | 'rejected' | 'undone' | 'reversed';

export type ReviewDecision =
  | { readonly step: 'approve' | 'reject' | 'leave unchanged' }
  | { readonly step: 'refuse'; readonly problem: ProblemCode };

/** Decides what a review does to a stamp. Repeating the review a stamp had already leaves it unchanged. */
export function decideReview(action: 'approve' | 'reject', status: StampStatus): ReviewDecision {
  if (status === 'pending') return { step: action };
  const approved = status === 'approved';
  if (action === 'approve') return approved ? { step: 'leave unchanged' } : { step: 'refuse', problem: 'STAMP_ALREADY_REJECTED' };
  return approved ? { step: 'refuse', problem: 'STAMP_ALREADY_APPROVED' } : { step: 'leave unchanged' };
}

/** Says why a stamp cannot be undone; null when it was undone already. A null stamp does not exist, or belongs to another customer or store. */
export function undoRefusal(stamp: { readonly source: string; readonly used: boolean } | null): ProblemCode | null {
  if (!stamp) return 'STAMP_NOT_FOUND';
  if (stamp.source !== 'hub') return 'STAMP_NOT_UNDOABLE';
  return stamp.used ? 'STAMP_ALREADY_USED' : null;
}
