import { type Call, RpcUnavailable } from '@corner/chassis';
import { Problem, voucherDetails } from '@corner/contracts';
import type { CompletePass, PassState } from './rules.ts';

/**
 * Loyalty is called for a voucher's code each time: no event and no table here has it. Throws UPSTREAM_UNAVAILABLE while loyalty does not
 * reply; a phone keeps its current pass then.
 */
export async function completePass(call: Call, pass: PassState): Promise<CompletePass> {
  if (pass.voucherId === null || pass.state !== 'active') return { ...pass, details: null };
  try {
    const input = { voucher_id: pass.voucherId, customer_id: pass.customerId, store_id: pass.storeId };
    return { ...pass, details: await call(voucherDetails, input) };
  } catch (error) {
    if (error instanceof RpcUnavailable) throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
    throw error;
  }
}
