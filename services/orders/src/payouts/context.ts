import type { Context } from '../context.ts';
import type { Payouts } from './adapters.ts';

export interface PayoutsContext extends Context {
  readonly payouts: Payouts;
}
