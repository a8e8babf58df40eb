import { createHash, createHmac } from 'node:crypto';
import { encodeStampCode } from '../rules/codes.ts';

/** Returns the HMAC-SHA-256 (32 bytes) of a text. The same text has a different hash for each purpose. */
export const keyedHash = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();

/** Returns the code of a row: derived from the secret and the row's id, so the table alone reveals no code. */
export const stampCodeOf = (secret: string, id: string): string => encodeStampCode(keyedHash(secret, 'code', id));

/** Returns the hash a code is stored and found by. */
export const stampCodeHash = (secret: string, code: string): Buffer => keyedHash(secret, 'hash', code);

/** Returns the hash an auth card is stored and found by at one store. A token has 128 random bits, so the hash does not reveal it. */
export const staffCardHash = (storeId: string, tokenId: string): string =>
  createHash('sha256').update(`${storeId}\n${tokenId}`).digest('hex');
