import type { PaymentContext } from '../payment/index.ts';
import type { RefundsContext } from '../refunds/index.ts';

export interface ConfirmationContext extends PaymentContext, RefundsContext {
  /** Payments that this process is reading from the provider, by intent, with the events that wait for each. Used only by `syncPayment`. */
  readonly paymentsInSync: Map<string, { readonly result: Promise<unknown>; readonly eventIds: string[] }>;
}
