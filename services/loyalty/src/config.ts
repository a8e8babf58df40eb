import { json, notInProduction, readConfig, secret, serviceSettings } from '@corner/chassis/config';
import { z } from 'zod';

const hex = (min: number, max = min) =>
  z
    .string()
    .regex(new RegExp(`^([0-9A-Fa-f]{2}){${min},${max}}$`), `must be ${min === max ? min : `${min} to ${max}`} bytes in hexadecimal`)
    .transform((digits) => Uint8Array.from(Buffer.from(digits, 'hex')));

/** The keys of the demo's tags, in docker-compose.yml and in the sandbox. */
const publishedKeys = new Set(['c0124e7a5d9b4f6e8a13d7f2b6059c41', '5e8f03b1a6d74c2990fb1e6d3c7a8524']);

const settings = z.object({
  ...serviceSettings,
  /**
   * Keys of NTAG 424 tags by version: `{"1":{"meta":"…","master":"…"}}`, each 16 bytes in hexadecimal. A version is accepted until it is
   * removed.
   */
  NFC_KEYS: secret(
    notInProduction(
      json.pipe(z.record(z.string().max(16), z.object({ meta: hex(16), master: hex(16) }))),
      (versions) =>
        Object.values(versions).some(({ meta, master }) =>
          [meta, master].some((key) => publishedKeys.has(Buffer.from(key).toString('hex'))),
        ),
      'set the keys of your own tags',
    ),
  ).default({}),
  /** The bytes from which, with its UID, a tag's own key is derived. Tags are written with it, so it never changes. */
  NFC_SYSTEM_ID: hex(6, 21).default(Uint8Array.from(Buffer.from('corner'))),
  /** The secret that stamp codes are derived from, the same on every replica. Another secret ends the codes that are in use. */
  STAMP_CODE_SECRET: secret(
    notInProduction(
      z.string().min(32, 'must be at least 32 characters'),
      (secret) => secret === 'a-development-secret-of-stamp-codes',
      'set 32 random characters or more',
    ),
  ).default('a-development-secret-of-stamp-codes'),
});

export type LoyaltyConfig = z.output<typeof settings>;

/** Reads this service's settings. Throws one ConfigFault that names every missing or invalid setting. */
export const readLoyaltyConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): LoyaltyConfig =>
  readConfig(settings, environment);
