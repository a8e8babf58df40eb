import { RpcUnavailable } from '@corner/chassis';
import { knowsCustomer, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { wasMemberOf } from './tables.ts';

/**
 * Throws CUSTOMER_NOT_FOUND for an unknown customer, and alike for one who was never a member of the store and never paid, waited or
 * collected a stamp there. Throws UPSTREAM_UNAVAILABLE while loyalty, which knows the visits, does not answer.
 */
export async function checkKnown({ database, call }: Context, storeId: string, customerId: string): Promise<void> {
  if (await wasMemberOf(database, storeId, customerId)) return;
  try {
    const { known } = await call(knowsCustomer, { store_id: storeId, customer_id: customerId });
    if (!known) throw new Problem('CUSTOMER_NOT_FOUND');
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    throw new Problem('UPSTREAM_UNAVAILABLE', {
      message: 'Whether the store knows the customer cannot be read right now. Try again.',
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}
