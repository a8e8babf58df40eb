import type { Context } from '../context.ts';
import type { BookSigner } from './crypto.ts';

export interface ReportsContext extends Context {
  /** Signs the days that are closed. */
  readonly bookSigner: BookSigner;
}
