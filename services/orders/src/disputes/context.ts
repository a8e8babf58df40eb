import type { Context } from '../context.ts';
import type { Disputes, Transfers } from './adapters.ts';

export interface DisputesContext extends Context {
  readonly disputes: Disputes;
  readonly transfers: Transfers;
}
