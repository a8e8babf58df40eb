import { type Caller, RpcUnavailable } from '@corner/chassis';
import { findCustomer, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';

export interface TypedCustomer {
  readonly storeId: string;
  readonly typed: string;
  readonly caller: Caller;
}

/**
 * Returns the customer whose code was scanned or typed at the counter. A partner may use a card alone. Throws CUSTOMER_NOT_FOUND unless
 * there is exactly one, and UPSTREAM_UNAVAILABLE when loyalty does not reply.
 */
export async function resolveCustomer({ call }: Context, { storeId, typed, caller }: TypedCustomer): Promise<string> {
  const kind: 'staff' | 'merchant' = caller.type === 'staff' ? 'staff' : 'merchant';
  const by = caller.type === 'partner' ? null : { kind, id: caller.id, name: caller.name };
  try {
    const { customer_ids } = await call(findCustomer, { store_id: storeId, q: typed, by });
    const [first, ...others] = customer_ids;
    if (first !== undefined && others.length === 0) return first;
    throw new Problem('CUSTOMER_NOT_FOUND', {
      message:
        first === undefined
          ? 'customer: the store knows no customer by this; scan the card, or sell without a customer.'
          : `customer: ${customer_ids.length} customers of the store match; type more of it, or scan the card.`,
    });
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    throw new Problem('UPSTREAM_UNAVAILABLE', {
      message: 'customer: cards cannot be read at the moment; try again, or sell without a customer.',
      retryAfterSeconds: 2,
      cause: error,
    });
  }
}
