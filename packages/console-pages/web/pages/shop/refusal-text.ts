import { RequestFailed } from '../../logic/refusal.ts';
import { wayOut } from '../../logic/ways-out.ts';

export const moved: ReadonlySet<string> = new Set([
  'INVALID_TRANSITION',
  'ORDER_TERMINAL',
  'ALREADY_REFUNDED',
  'STAMP_ALREADY_APPROVED',
  'STAMP_ALREADY_REJECTED',
  'VOUCHER_ALREADY_REDEEMED',
  'QUEUE_ENTRY_NOT_FOUND',
]);

/** `what` names the subject of the refusal. When another person was faster, it says that the page is up to date. */
export function refusalText(error: unknown, what: string): string {
  if (!(error instanceof RequestFailed)) return `${what}: something went wrong in this page. Try again.`;
  if (error.status === 0)
    return `${what}: no response came, and it is not known whether the change was made. Press again: it is made once.`;
  if (error.status === 401) return 'Your session has ended. Sign in again.';
  if (moved.has(error.code)) return `${what} was changed by another person meanwhile, and is shown as it is now. ${error.message}`;
  return `${what}: ${error.message} ${wayOut(error.code, error.requestId)}`;
}
