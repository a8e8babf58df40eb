import type { Context } from '../context.ts';
import type { BookSigner } from './crypto.ts';

export interface ReportsContext extends Context {
  readonly bookSigner: BookSigner;
}
