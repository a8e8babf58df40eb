import type { ProblemCode } from '@corner/contracts';
import type { LogKind } from '../card/rules.ts';

type StampStatus = 'pending' | 'approved' | 'rejected' | 'undone' | 'reversed';

type ReviewDecision =
  | { readonly step: 'approve' | 'reject' | 'leave unchanged' }
  | { readonly step: 'refuse'; readonly problem: ProblemCode };

export function decideReview(action: 'approve' | 'reject', status: StampStatus): ReviewDecision {
  if (status === 'pending') return { step: action };
  const approved = status === 'approved';
  if (action === 'approve') return approved ? { step: 'leave unchanged' } : { step: 'refuse', problem: 'STAMP_ALREADY_REJECTED' };
  return approved ? { step: 'refuse', problem: 'STAMP_ALREADY_APPROVED' } : { step: 'leave unchanged' };
}

/** The sources of stamps that staff may undo: their own grants and imports. */
export const undoableSources = ['hub', 'import'] as const;

/** Returns why a stamp cannot be undone; null when it was undone already. A null stamp does not exist, or belongs to another customer or store. */
export function undoRefusal(stamp: { readonly source: string; readonly used: boolean } | null): ProblemCode | null {
  if (!stamp) return 'STAMP_NOT_FOUND';
  if (!undoableSources.some((source) => source === stamp.source)) return 'STAMP_NOT_UNDOABLE';
  return stamp.used ? 'STAMP_ALREADY_USED' : null;
}

export function logTitle(row: LoggedChange): string {
  const name = row.customer_name ?? (row.customer_id === null ? 'A guest' : 'A customer');
  const inSentence = row.customer_name ?? (row.customer_id === null ? 'a guest' : 'a customer');
  switch (row.kind) {
    case 'granted':
      return `${name} was granted a stamp`;
    case 'undone':
      return `A stamp of ${inSentence} was undone`;
    case 'approved':
      return `A stamp of ${inSentence} was approved`;
    case 'rejected':
      return `A stamp of ${inSentence} was rejected`;
    case 'redeemed':
      return row.reward_title === null ? `${name} used a voucher` : `${name} used a voucher: ${row.reward_title}`;
    case 'confirmed':
      return `${name} was given ${row.stamps === 1 ? 'a stamp' : `${row.stamps} stamps at once`}`;
    case 'imported':
      return `${name} brought ${row.stamps === 1 ? 'a stamp' : `${row.stamps} stamps`} from another system`;
    default:
      return row.kind satisfies never;
  }
}

interface LoggedChange {
  readonly kind: LogKind;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly reward_title: string | null;
  readonly stamps: number;
}
