import { columns, instantOf } from '@corner/chassis';
import { allergens } from '@corner/contracts';
import type { FragmentSqlToken } from 'slonik';
import { z } from 'zod';

export const VatByPlace = z.array(z.object({ when: z.enum(['eat_in', 'away']), rate_bps: z.number() }));

export const MenuOption = z.object({
  id: z.string(),
  name: z.string(),
  min: z.number(),
  max: z.number(),
  choices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      price_pence: z.number(),
      allergens: z.array(z.enum(allergens)).nullable(),
      available: z.boolean(),
      vat: VatByPlace.nullish(),
    }),
  ),
});

export const SlotRow = z.object({
  id: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  capacity: z.number().nullable(),
  used: z.number(),
  open: z.boolean(),
});
export type SlotRow = z.output<typeof SlotRow>;

export const slotColumns: FragmentSqlToken = columns(SlotRow, { alias: 't', overrides: { starts_at: instantOf, ends_at: instantOf } });
