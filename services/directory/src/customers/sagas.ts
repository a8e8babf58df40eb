import { RpcUnavailable } from '@corner/chassis';
import { knowsCustomer, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { wasMemberOf } from './tables.ts';

/**
 * Throws CUSTOMER_NOT_FOUND for a customer whom a store does not know, there or not: who never was its member, paid, waited or collected a
 * stamp there. Throws UPSTREAM_UNAVAILABLE while loyalty, which knows the visits, does not answer.
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
