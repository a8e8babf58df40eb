import type { Context } from '../context.ts';
import type { BookSigner } from './crypto.ts';

export interface ReportsContext extends Context {
  readonly bookSigner: BookSigner;
  /** The console's address, for the code on a day's paper; null when it is not known. */
  readonly consoleUrl: string | null;
}
