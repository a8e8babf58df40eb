import { createHmac, timingSafeEqual } from 'node:crypto';
import { preferenceToggles } from '@corner/contracts';
import type { Toggle } from '../rules/template-data.ts';

/** Whose messages a link stops, at which store, by which preference. */
export interface Unsubscription {
  readonly customerId: string;
  readonly storeId: string;
  readonly toggle: Toggle;
}

/** Signs the token of a link. It does not expire, since a mail is read at any time. */
export function signUnsubscription({ customerId, storeId, toggle }: Unsubscription, secret: string): string {
  const claim = Buffer.from(`${customerId}:${storeId}:${toggle}`).toString('base64url');
  return `${claim}.${createHmac('sha256', secret).update(`unsubscribe ${claim}`).digest('base64url')}`;
}

/** Reads a token that was signed with one of the secrets. Null for any other text, also for another spelling of a token. */
export function readUnsubscription(token: string, secrets: readonly string[]): Unsubscription | null {
  const [customerId = '', storeId = '', name] = Buffer.from(token.split('.')[0] ?? '', 'base64url')
    .toString()
    .split(':');
  const toggle = preferenceToggles.find((known) => known === name);
  if (!toggle) return null;
  const read = { customerId, storeId, toggle };
  return secrets.some((secret) => equal(token, signUnsubscription(read, secret))) ? read : null;
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
