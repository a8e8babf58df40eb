import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson, subscriberOf } from '@corner/chassis';

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 4;

/** Returns fresh collection codes. A unique index keeps them different among the live orders of a store. */
export function collectionCodes(count: number): readonly string[] {
  const letters = Array.from(randomBytes(count * length), (byte) => alphabet[byte % alphabet.length]);
  return Array.from({ length: count }, (_, n) => letters.slice(n * length, (n + 1) * length).join(''));
}

/** Returns the hash of a device, hexadecimal. It is keyed, so that a table of fingerprints cannot reveal the device. */
export const deviceHash = (secret: string, fingerprint: string): string =>
  createHmac('sha256', secret).update(`device\n${fingerprint}`).digest('hex');

/** Returns the keyed hash, hexadecimal, under which orders from an address, or the /64 of an IPv6 address, are counted. */
export const addressHash = (secret: string, address: string): string =>
  createHmac('sha256', secret)
    .update(`address\n${subscriberOf(address)}`)
    .digest('hex');

/** Hashes a request, hexadecimal, to detect a different request under the same key. */
export const requestHash = (request: unknown): string => createHash('sha256').update(canonicalJson(request)).digest('hex');

export interface ReceiptLinks {
  readonly secret: string;
  readonly baseUrl: string | null;
}

/**
 * Returns the token in an order's receipt URL: the order's id and 16 bytes of a keyed hash, 44 characters. It is derived, so a paid order
 * stores nothing more, and old orders have one too.
 */
export function receiptToken(secret: string, orderId: string): string {
  const id = Buffer.from(orderId.replaceAll('-', ''), 'hex');
  const mac = createHmac('sha256', secret).update('receipt\n').update(id).digest().subarray(0, 16);
  return `${id.toString('base64url')}${mac.toString('base64url')}`;
}

/** Returns the order of a receipt's token; null for any other text, including another encoding of a token. */
export function orderOfReceipt(secret: string, token: string): string | null {
  const id = Buffer.from(token.slice(0, 22), 'base64url');
  if (id.length !== 16) return null;
  const orderId = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const [given, expected] = [Buffer.from(token), Buffer.from(receiptToken(secret, orderId))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? orderId : null;
}

/** Returns the URL of an order's receipt, or of one of its credit notes. Null without a public address. */
export const receiptUrl = ({ secret, baseUrl }: ReceiptLinks, orderId: string, creditNote?: number): string | null =>
  baseUrl && `${baseUrl}/receipts/${receiptToken(secret, orderId)}${creditNote === undefined ? '' : `/credit-notes/${creditNote}`}`;
