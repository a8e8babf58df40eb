import type { Context } from '../context.ts';
import type { Domains } from './adapters/domains.ts';
import type { Accounts } from './adapters.ts';

export interface AccountsContext extends Context {
  readonly accounts: Accounts;
  readonly domains: Domains;
  /** The domain of the shop's pages; null where there is none that the provider can register. */
  readonly shopDomain: string | null;
}
