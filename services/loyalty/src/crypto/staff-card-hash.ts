import { createHash } from 'node:crypto';

/** Returns the hash an auth card is stored and found by at one store. A token has 128 random bits, so the hash does not reveal it. */
export const staffCardHash = (storeId: string, tokenId: string): string =>
  createHash('sha256').update(`${storeId}\n${tokenId}`).digest('hex');
