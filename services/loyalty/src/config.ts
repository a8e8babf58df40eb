import { readConfig, serviceSettings } from '@corner/chassis';
import { z } from 'zod';

/** Hexadecimal of so many bytes. */
const hex = (least: number, most = least) =>
  z
    .string()
    .regex(
      new RegExp(`^([0-9A-Fa-f]{2}){${least},${most}}$`),
      `must be ${least === most ? least : `${least} to ${most}`} bytes in hexadecimal`,
    )
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
  /** Keys of NTAG 424 tags by version: `{"1":{"meta":"…","master":"…"}}`, each 16 bytes in hexadecimal. An old version is read until it goes. */
  NFC_KEYS: json.pipe(z.record(z.string().max(16), z.object({ meta: hex(16), master: hex(16) }))).default({}),
  /** What tags' own keys are made from besides the UID. As the tags were written; never changed after. */
  NFC_SYSTEM_ID: hex(6, 21).default(Uint8Array.from(Buffer.from('corner'))),
  /** What stamp codes are drawn from, the same on every replica. Absent, the database's address stands in, which replicas share too. */
  STAMP_CODE_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
});

export type LoyaltyConfig = z.output<typeof settings>;

/** Reads the environment of this service. Throws one fault that names every setting that is missing or wrong. */
export const readLoyaltyConfig = (env: Readonly<Record<string, string | undefined>>): LoyaltyConfig => readConfig(settings, env);
