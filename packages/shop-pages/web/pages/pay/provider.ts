import type { ShopSettings } from '@corner/console-api';
import type { PlacedOrder } from '../../order/attempts.ts';
import { readSettings } from '../../session/settings.ts';

export type Payments = NonNullable<ShopSettings['payments']>;

export type PayableOrder = PlacedOrder & { readonly payment_intent_id: string; readonly client_secret: string };

export const isPayable = (placed: PlacedOrder): placed is PayableOrder =>
  placed.requires_payment && placed.payment_intent_id !== null && placed.client_secret !== null;

/**
 * `unpaid` waits for a card; `declined` is the provider's code for the last one, null for none. `asks` waits for the customer's step at the
 * bank.
 */
export type PaymentState =
  | { readonly status: 'succeeded' | 'processing' | 'canceled' | 'asks' }
  | { readonly status: 'unpaid'; readonly declined: string | null };

export interface Intent {
  readonly status?: string;
  readonly last_payment_error?: { readonly code?: string; readonly decline_code?: string } | null;
}

export function stateOf({ status, last_payment_error: error }: Intent): PaymentState {
  switch (status) {
    case 'succeeded':
    case 'processing':
    case 'canceled':
      return { status };
    case 'requires_action':
      return { status: 'asks' };
    case 'requires_payment_method':
    case 'requires_confirmation':
      return { status: 'unpaid', declined: error ? (error.decline_code ?? error.code ?? 'generic_decline') : null };
    default:
      throw new Error('the payment provider returned no payment');
  }
}

/** Returns null where payments are off. Rejects when the server does not reply; the next call tries again. */
export const readPayments = async (): Promise<Payments | null> => (await readSettings()).payments;
