import type { Context } from '../context.ts';
import type { Payments } from './adapters.ts';

export interface PaymentContext extends Context {
  readonly payments: Payments;
}
