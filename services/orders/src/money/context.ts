import type { ConfirmationContext } from '../confirmation/index.ts';
import type { Balance } from './adapters.ts';

export interface MoneyContext extends ConfirmationContext {
  readonly balance: Balance;
}
