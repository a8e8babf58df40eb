import type { IncomingHttpHeaders } from 'node:http';
import type { Books } from './books.ts';
import { StripeRefusal } from './refusal.ts';

export interface Keys {
  readonly secret: string;
  readonly publishable: string;
}

export function keyShown({ authorization }: IncomingHttpHeaders, keys: Keys): 'secret' | 'publishable' {
  const [scheme = '', credential = ''] = (authorization ?? '').split(' ');
  const key = scheme.toLowerCase() === 'basic' ? Buffer.from(credential, 'base64').toString().split(':')[0] : credential;
  if (!key) {
    throw new StripeRefusal(
      401,
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
    );
  }
  if (key === keys.secret) return 'secret';
  if (key === keys.publishable) return 'publishable';
  throw new StripeRefusal(401, `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}`);
}

/**
 * Returns null for the platform. Throws for an unknown account, and for objects that belong to the platform: all but events, payouts and
 * movements of the balance.
 */
export function accountNamed(headers: IncomingHttpHeaders, path: string, { books }: { readonly books: Books }): string | null {
  const account = headers['stripe-account'];
  if (typeof account !== 'string') return null;
  if (!books.get('account', account)) throw noAccess(account);
  if (['/v1/events', '/v1/payouts', '/v1/balance_transactions'].some((known) => path.startsWith(known))) return account;
  throw new StripeRefusal(404, `No such object on account '${account}': the simulator keeps the platform's objects only.`, {
    code: 'resource_missing',
  });
}

export const noAccess = (account: string): StripeRefusal =>
  new StripeRefusal(
    403,
    `The provided key 'sk_test_********' does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid' },
  );
