import type { DisputesContext } from '../disputes/index.ts';
import type { Refunds } from './adapters.ts';

export interface RefundsContext extends DisputesContext {
  readonly refunds: Refunds;
}
