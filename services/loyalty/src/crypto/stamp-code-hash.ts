import { encodeStampCode } from '../rules/stamp-code.ts';
import { keyedHash } from './keyed-hash.ts';

/** Returns the code of a row: derived from the secret and the row's id, so the table alone reveals no code. */
export const stampCodeOf = (secret: string, id: string): string => encodeStampCode(keyedHash(secret, 'code', id));

/** Returns the hash a code is stored and found by. */
export const stampCodeHash = (secret: string, code: string): Buffer => keyedHash(secret, 'hash', code);
