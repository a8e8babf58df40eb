import { readConfig, serviceSettings } from '@corner/chassis';
import { z } from 'zod';

/** Hexadecimal digits of `min` to `max` bytes. */
const hex = (min: number, max = min) =>
  z
    .string()
    .regex(new RegExp(`^([0-9A-Fa-f]{2}){${min},${max}}$`), `must be ${min === max ? min : `${min} to ${max}`} bytes in hexadecimal`)
    .transform((digits) => Uint8Array.from(Buffer.from(digits, 'hex')));

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});

const settings = z.object({
  ...serviceSettings,
  /** Keys of NTAG 424 tags by version: `{"1":{"meta":"…","master":"…"}}`, each 16 bytes in hexadecimal. A version is accepted until it is removed. */
  NFC_KEYS: json.pipe(z.record(z.string().max(16), z.object({ meta: hex(16), master: hex(16) }))).default({}),
  /** The bytes a tag's own key is derived from besides its UID. Tags are written with it, so it never changes. */
  NFC_SYSTEM_ID: hex(6, 21).default(Uint8Array.from(Buffer.from('corner'))),
  /** The secret stamp codes are derived from, the same on every replica. When absent, the database URL is used: replicas share it too. */
  STAMP_CODE_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
});

export type LoyaltyConfig = z.output<typeof settings>;

/** Reads this service's settings. Throws one ConfigFault that names every missing or invalid setting. */
export const readLoyaltyConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): LoyaltyConfig =>
  readConfig(settings, environment);

/** Reads the addresses that migrations need: of the database's administrator, and of the service's own role. */
export const readMigrationConfig = () => readConfig(z.object({ MIGRATION_DATABASE_URL: z.url(), DATABASE_URL: z.url() }), process.env);
