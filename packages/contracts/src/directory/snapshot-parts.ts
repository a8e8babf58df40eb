import { z } from 'zod';
import { InstantInput, StoreId } from '../vocabulary.ts';

/**
 * Data that is managed outside Corner and reaches the services as snapshots. A snapshot is complete, not a difference.
 * A service keeps the snapshot with the highest `version` and ignores older ones.
 */
export const snapshot = { version: z.int().min(1).describe('Of this snapshot. A higher one replaces it.') };
export const PushDevice = z.object({
  id: z.string().describe('The token of the app on the device.'),
  platform: z.enum(['ios', 'android', 'web']).describe('Which push service reaches it.'),
});
export const ofStore = StoreId.describe('The store.');
export const Span = z.object({
  starts_at: InstantInput.describe('From this instant.'),
  ends_at: InstantInput.describe('Until this instant.'),
});

export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:30');

export const withinWhole = ({ kind, value }: { kind: string; value: number }) => kind !== 'percent' || value <= 100;
export const overWhole = { path: ['value'], error: 'must be at most 100, because kind is percent' };

export const languages = ['en', 'fr'] as const;
/** A regional tag such as `fr-CA` means its base language; a language without messages means English. */
export const Language = z
  .string()
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'must be a language tag such as en or fr-CA')
  .transform((tag) => languages.find((language) => language === tag.split('-')[0]?.toLowerCase()) ?? 'en')
  .pipe(z.enum(languages));
export type Language = (typeof languages)[number];

export const bounded = ({ least, most }: { readonly least: number; readonly most: number }) => z.int().min(least).max(most);
