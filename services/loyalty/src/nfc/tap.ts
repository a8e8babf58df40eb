import { timingSafeEqual } from 'node:crypto';
import { cbc, cmac } from '@noble/ciphers/aes.js';

/** What a tag says of one tap: its UID (7 bytes) and the counter that rises with each tap, as sent (3 bytes, lowest first). */
export interface TapData {
  readonly uid: Uint8Array;
  readonly counter: Uint8Array;
}

const zeros = new Uint8Array(16);
/** Seven bytes of UID and a counter, both mirrored: what our tags are set up to send, and nothing else. */
const bothMirrored = 0xc7;

/** Decrypts PICCData (16 bytes, AES-128-CBC). Null when it is not what a tag of ours sends under this key; LRP tags send 24 bytes. */
export function readTapData(piccData: Uint8Array, metaKey: Uint8Array): TapData | null {
  if (piccData.length !== 16) return null;
  const plain = cbc(metaKey, zeros, { disablePadding: true }).decrypt(piccData);
  return plain[0] === bothMirrored ? { uid: plain.slice(1, 8), counter: plain.slice(8, 11) } : null;
}

/** The MAC of a tap (8 bytes): every second byte of a CMAC under a key of this one tap. Our tags sign nothing beside it: `input` is empty. */
export function macOfTap(fileKey: Uint8Array, { uid, counter }: TapData, input = new Uint8Array()): Uint8Array {
  const vector = new Uint8Array(16);
  vector.set([0x3c, 0xc3, 0x00, 0x01, 0x00, 0x80]);
  vector.set(uid, 6);
  vector.set(counter, 13);
  return cmac(input, cmac(vector, fileKey)).filter((_, index) => index % 2 === 1);
}

/** The counter as a number, 0 to 16,777,215. */
export const counterOf = ({ counter: [low = 0, middle = 0, high = 0] }: TapData): number => low | (middle << 8) | (high << 16);

/** Compares in a time that tells nothing. */
export const sameMac = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
