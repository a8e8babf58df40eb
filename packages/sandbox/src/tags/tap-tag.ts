import { randomBytes } from 'node:crypto';
import { cbc, cmac } from '@noble/ciphers/aes.js';
import { z } from 'zod';

/** Public, and the same as in docker-compose.yml. */
const developmentKeys = { '1': { meta: 'c0124e7a5d9b4f6e8a13d7f2b6059c41', master: '5e8f03b1a6d74c2990fb1e6d3c7a8524' } };
const developmentSystemId = '636f726e6572';

const hex = z.string().regex(/^([0-9a-f]{2})+$/i);
const Keys = z.record(z.string(), z.object({ meta: hex, master: hex }));

export const tagEnvironment = (env: Readonly<Record<string, string | undefined>>) => ({
  NFC_KEYS: env.NFC_KEYS ?? JSON.stringify(developmentKeys),
  NFC_SYSTEM_ID: env.NFC_SYSTEM_ID ?? developmentSystemId,
});

export interface TagReading {
  readonly nfc_picc_data: string;
  readonly nfc_cmac: string;
  readonly nfc_key_version: string;
}

const bytesOf = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/**
 * Simulates the `counter`th tap with the keys of `env`. Shares no code with loyalty, which verifies it. Throws for an unknown key version.
 */
export function tapTag(uid: string, counter: number, env: Readonly<Record<string, string | undefined>>, keyVersion = '1'): TagReading {
  const { NFC_KEYS, NFC_SYSTEM_ID } = tagEnvironment(env);
  const keys = Keys.parse(JSON.parse(NFC_KEYS))[keyVersion];
  if (!keys) throw new RangeError(`NFC_KEYS has no version ${keyVersion}`);
  const payload = Uint8Array.of(...bytesOf(uid), counter & 0xff, (counter >> 8) & 0xff, counter >> 16);
  const ownKey = cmac(Uint8Array.of(1, ...bytesOf(uid), 0x30, 0x42, 0xf5, ...bytesOf(NFC_SYSTEM_ID)), bytesOf(keys.master));
  const tapKey = cmac(Uint8Array.of(0x3c, 0xc3, 0x00, 0x01, 0x00, 0x80, ...payload), ownKey);
  const picc = cbc(bytesOf(keys.meta), new Uint8Array(16), { disablePadding: true }).encrypt(
    Uint8Array.of(0xc7, ...payload, ...randomBytes(5)),
  );
  return {
    nfc_picc_data: hexOf(picc),
    nfc_cmac: hexOf(cmac(new Uint8Array(), tapKey).filter((_, index) => index % 2 === 1)),
    nfc_key_version: keyVersion,
  };
}
