import type { PaymentContext } from '../payment/index.ts';
import type { OrderLimits } from './rules/limits.ts';

export interface CheckoutContext extends PaymentContext {
  readonly orderLimits: OrderLimits;
}
