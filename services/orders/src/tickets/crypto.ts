import { createHmac } from 'node:crypto';

/**
 * Returns the token of a printer, 43 characters. It is derived, so that a repeated request that added the printer returns the same one
 * although it is not stored.
 */
export const printerToken = (secret: string, printerId: string): string =>
  createHmac('sha256', secret).update(`printer\n${printerId}`).digest('base64url');

/** Returns the hash, hexadecimal, under which a printer's token is stored. */
export const tokenHash = (secret: string, token: string): string =>
  createHmac('sha256', secret).update(`printer token\n${token}`).digest('hex');
