import type { ProblemCode } from '@corner/contracts';

/** Says why a stamp cannot be undone; null when it was undone already. A null stamp does not exist, or belongs to another customer or store. */
export function undoRefusal(stamp: { readonly source: string; readonly used: boolean } | null): ProblemCode | null {
  if (!stamp) return 'STAMP_NOT_FOUND';
  if (stamp.source !== 'hub') return 'STAMP_NOT_UNDOABLE';
  return stamp.used ? 'STAMP_ALREADY_USED' : null;
}
