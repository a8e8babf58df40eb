import type { ProblemCode } from '@corner/contracts';

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
