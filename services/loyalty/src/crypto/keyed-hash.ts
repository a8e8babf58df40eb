import { createHmac } from 'node:crypto';

/** Returns the HMAC-SHA-256 (32 bytes) of a text. The same text has a different hash for each purpose. */
export const keyedHash = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
