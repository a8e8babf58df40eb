import { timingSafeEqual } from 'node:crypto';
import { cbc, cmac } from '@noble/ciphers/aes.js';

/** What a tag sends at one tap: its UID (7 bytes) and a counter that rises with each tap (3 bytes, lowest byte first). */
export interface TapData {
  readonly uid: Uint8Array;
  readonly counter: Uint8Array;
}

const zeros = new Uint8Array(16);
/** The PICCData tag of a 7-byte UID and a counter, both mirrored: what our tags are configured to send. */
const bothMirrored = 0xc7;

/** Decrypts PICCData (16 bytes, AES-128-CBC). Returns null when it is not what one of our tags sends under this key. LRP tags send 24 bytes. */
export function readTapData(piccData: Uint8Array, metaKey: Uint8Array): TapData | null {
  if (piccData.length !== 16) return null;
  const plain = cbc(metaKey, zeros, { disablePadding: true }).decrypt(piccData);
  return plain[0] === bothMirrored ? { uid: plain.slice(1, 8), counter: plain.slice(8, 11) } : null;
}

/** Returns the MAC of a tap (8 bytes): every second byte of a CMAC under this tap's session key. Our tags sign no further data, so `input` is empty. */
export function macOfTap(fileKey: Uint8Array, { uid, counter }: TapData, input = new Uint8Array()): Uint8Array {
  const vector = new Uint8Array(16);
  vector.set([0x3c, 0xc3, 0x00, 0x01, 0x00, 0x80]);
  vector.set(uid, 6);
  vector.set(counter, 13);
  return cmac(input, cmac(vector, fileKey)).filter((_, index) => index % 2 === 1);
}

/** Returns the counter as a number from 0 to 16,777,215. */
export const counterOf = ({ counter: [low = 0, middle = 0, high = 0] }: TapData): number => low | (middle << 8) | (high << 16);

/** Compares in constant time. */
export const sameMac = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
