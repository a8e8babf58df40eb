import { type Call, RpcUnavailable } from '@corner/chassis';
import { Problem, voucherDetails } from '@corner/contracts';
import type { CompletePass, PassState } from '../rules/pass-state.ts';

/**
 * Returns a pass with all it shows. A voucher that can be used shows its code and last day, which loyalty is called for each time: the code
 * is in no event and no table here. Throws UPSTREAM_UNAVAILABLE while loyalty is away, since a phone keeps a pass that it was sent.
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
