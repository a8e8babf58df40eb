import { createHmac, randomBytes } from 'node:crypto';

/** 32 letters and digits, without those that look alike. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 4;

/** Returns fresh collection codes. A unique index keeps them different among the live orders of a store. */
export function collectionCodes(count: number): readonly string[] {
  const letters = Array.from(randomBytes(count * length), (byte) => alphabet[byte % alphabet.length]);
  return Array.from({ length: count }, (_, n) => letters.slice(n * length, (n + 1) * length).join(''));
}

/** Returns the hash, hexadecimal, that a device is stored and found by. It is keyed, so that no table of fingerprints reveals the device. */
export const deviceHash = (secret: string, fingerprint: string): string =>
  createHmac('sha256', secret).update(`device\n${fingerprint}`).digest('hex');
