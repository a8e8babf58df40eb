import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson, subscriberOf } from '@corner/chassis';

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

/** Returns the hash, hexadecimal, that an address, or the /64 of an IPv6 address, counts by while its orders are open. Keyed, as a device's. */
export const addressHash = (secret: string, address: string): string =>
  createHmac('sha256', secret)
    .update(`address\n${subscriberOf(address)}`)
    .digest('hex');

/** Hashes a request, hexadecimal: a repeat with its key must be the same one. */
export const requestHash = (request: unknown): string => createHash('sha256').update(canonicalJson(request)).digest('hex');

/** Where receipts are: their addresses are signed, and null without a public address. */
export interface ReceiptLinks {
  readonly secret: string;
  readonly baseUrl: string | null;
}

/**
 * Returns the token in the address of an order's receipt: the order's id and 16 bytes of a keyed hash, 44 characters. It is derived, so
 * that a paid order stores nothing more, and one that was paid long ago has it too.
 */
export function receiptToken(secret: string, orderId: string): string {
  const id = Buffer.from(orderId.replaceAll('-', ''), 'hex');
  const mac = createHmac('sha256', secret).update('receipt\n').update(id).digest().subarray(0, 16);
  return `${id.toString('base64url')}${mac.toString('base64url')}`;
}

/** Returns the order of a receipt's token; null for any other text, also for another spelling of a token. */
export function orderOfReceipt(secret: string, token: string): string | null {
  const id = Buffer.from(token.slice(0, 22), 'base64url');
  if (id.length !== 16) return null;
  const orderId = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const [given, expected] = [Buffer.from(token), Buffer.from(receiptToken(secret, orderId))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? orderId : null;
}

/** Returns the address of an order's receipt, or of one of its credit notes. Null without a public address. */
export const receiptUrl = ({ secret, baseUrl }: ReceiptLinks, orderId: string, creditNote?: number): string | null =>
  baseUrl && `${baseUrl}/receipts/${receiptToken(secret, orderId)}${creditNote === undefined ? '' : `/credit-notes/${creditNote}`}`;
