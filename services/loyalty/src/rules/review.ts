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
