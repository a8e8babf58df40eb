import { RequestFailed } from '../../../logic/refusal.ts';

/**
 * Whether a refund that failed may have been made, so that pressing the button again must repeat the same attempt. A refusal made nothing: the
 * next press may ask for another amount, which a repeated attempt may not.
 */
export const keepsAttempt = (error: unknown): boolean =>
  !(error instanceof RequestFailed) || error.status === 0 || error.status >= 500 || error.code === 'IDEMPOTENCY_IN_PROGRESS';
