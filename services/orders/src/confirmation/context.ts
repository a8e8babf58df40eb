import type { PaymentContext } from '../payment/index.ts';
import type { RefundsContext } from '../refunds/index.ts';

export interface ConfirmationContext extends PaymentContext, RefundsContext {
  /** The payments that this process is reading from the provider, by intent, and the events that wait for each. Of `syncPayment` alone. */
  readonly paymentsInSync: Map<string, { readonly result: Promise<unknown>; readonly eventIds: string[] }>;
}
