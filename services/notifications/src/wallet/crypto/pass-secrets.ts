import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns a new secret of 32 random bytes, as base64url. */
export const newAuthToken = (): string => randomBytes(32).toString('base64url');

/** Signs the download address of a pass until `expires` (seconds since 1970). The key is the pass's own secret. */
export const signDownload = (authToken: string, serial: string, expires: number): string =>
  createHmac('sha256', authToken).update(`download ${serial} ${expires}`).digest('base64url');

/** Compares two secrets in constant time. */
export function secretsEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return timingSafeEqual(a.length === b.length ? a : Buffer.alloc(b.length), b) && a.length === b.length;
}
