import { provenOtherwise } from './operation-names.ts';

/**
 * Returns the known outcome of a change after its call has failed. `refused`: nothing was done, by this request or an earlier one with the
 * same Idempotency-Key and contents; the next try is a new request with a new key. `unknown`: it may have been done, so the next try must
 * be the same request with the same key. Anything but an error of Corner's, a lost response or a page of a proxy included, is `unknown`.
 * @param error the error thrown by the call: a CornerError, or another error with the `code` and `status` of Corner's response
 */
export function outcomeOf(error: unknown): 'refused' | 'unknown' {
  const { code, status } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; status?: unknown };
  if (typeof code !== 'string' || typeof status !== 'number' || status < 400 || code === 'UNREADABLE' || code === 'UNREACHABLE')
    return 'unknown';
  return (provenOtherwise[code] ?? isProofByStatus(status)) ? 'refused' : 'unknown';
}

/**
 * Whether an error's status proves that nothing was done, unless its code says otherwise. A refusal because of a token, a quota or a wait
 * applies to this moment only: an earlier request with the same key may have been accepted. A code that this version does not know is
 * judged by this alone.
 */
export const isProofByStatus = (status: number): boolean => status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);
