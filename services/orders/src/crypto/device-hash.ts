import { createHmac } from 'node:crypto';

/** Returns the hash, hexadecimal, that a device is stored and found by. It is keyed, so that no table of fingerprints reveals the device. */
export const deviceHash = (secret: string, fingerprint: string): string =>
  createHmac('sha256', secret).update(`device\n${fingerprint}`).digest('hex');
