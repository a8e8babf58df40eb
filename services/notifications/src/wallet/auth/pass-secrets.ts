import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret of 32 bytes, as text. */
export const newAuthToken = (): string => randomBytes(32).toString('base64url');

/** Signs the address of a download: good for one pass, until `expires` (seconds since 1970). The key is the pass’s own secret. */
export const signDownload = (authToken: string, serial: string, expires: number): string =>
  createHmac('sha256', authToken).update(`download ${serial} ${expires}`).digest('base64url');

/** Compares without telling by its time where the difference is. */
export function sameSecret(given: string, kept: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(kept)];
  return timingSafeEqual(a.length === b.length ? a : Buffer.alloc(b.length), b) && a.length === b.length;
}
