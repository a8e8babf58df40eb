import { createHmac } from 'node:crypto';

/** HMAC-SHA-256 (32 bytes) of a text, apart for each purpose. */
export const keyedHash = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
