import { createHmac, ECDH, randomBytes, timingSafeEqual } from 'node:crypto';
import { type PreferenceToggle, preferenceToggles } from '@corner/contracts';

export const newAuthToken = (): string => randomBytes(32).toString('base64url');

/** Signs the download address of a pass until `expires` (seconds since 1970). The key is the pass's own secret. */
export const signDownload = (authToken: string, serial: string, expires: number): string =>
  createHmac('sha256', authToken).update(`download ${serial} ${expires}`).digest('base64url');

export function secretsEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return timingSafeEqual(a.length === b.length ? a : Buffer.alloc(b.length), b) && a.length === b.length;
}

export interface Unsubscription {
  readonly customerId: string;
  readonly storeId: string;
  readonly toggle: PreferenceToggle;
  /** The sequence of the last event about the customer's preferences at the store, when the mail was sent; 0 when there was none. */
  readonly consent: number;
}

export function signUnsubscription({ customerId, storeId, toggle, consent }: Unsubscription, secret: string): string {
  const parts = [customerId, storeId, toggle, ...(consent === 0 ? [] : [consent])];
  const claim = Buffer.from(parts.join(':')).toString('base64url');
  return `${claim}.${createHmac('sha256', secret).update(`unsubscribe ${claim}`).digest('base64url')}`;
}

/**
 * Reads a token, which never expires, since a mail is read at any time. One of an older mail has no consent. Null for any text that none of
 * the secrets signed, also for another spelling.
 */
export function readUnsubscription(token: string, secrets: readonly string[]): Unsubscription | null {
  const [customerId = '', storeId = '', name, consent = '0'] = Buffer.from(token.split('.')[0] ?? '', 'base64url')
    .toString()
    .split(':');
  const toggle = preferenceToggles.find((known) => known === name);
  if (!toggle) return null;
  const read = { customerId, storeId, toggle, consent: Number(consent) };
  return secrets.some((secret) => secretsEqual(token, signUnsubscription(read, secret))) ? read : null;
}

/** True for a point of P-256: nothing can be encrypted for any other key. */
export function isPointOfCurve(publicKey: string): boolean {
  try {
    ECDH.convertKey(publicKey, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}
