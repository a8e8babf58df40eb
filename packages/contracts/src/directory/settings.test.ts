import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { ProgrammeSnapshot } from './programme-snapshot.ts';
import { programmeSettings, type Setting, storeSettings } from './settings.ts';
import { platformFields } from './store-fields.ts';
import { StoreSnapshot } from './store-snapshot.ts';

const others = ['version', 'id', 'store_id', 'store_ids', 'voucher_type', 'plan_key', 'monthly_stamp_quota', ...platformFields];
const objects = [
  ['store', StoreSnapshot.shape, storeSettings],
  ['programme', ProgrammeSnapshot.shape, programmeSettings],
] as const;

test.each(objects)(
  'every setting of a %s is a field of its schema, and every field that a person sets has its words',
  (_, shape, settings) => {
    expect(Object.keys(settings).toSorted()).toEqual(
      Object.keys(shape)
        .filter((name) => !(others as readonly string[]).includes(name))
        .toSorted(),
    );
  },
);

const fields = objects.flatMap(([object, shape, settings]) =>
  Object.entries(settings as Readonly<Record<string, Setting>>).map(
    ([name, setting]) => [object, name, setting, (shape as unknown as Readonly<Record<string, z.ZodType>>)[name] as z.ZodType] as const,
  ),
);

test.each(fields)(
  'what the page says of %s %s is what the schema takes',
  (_object, _name, { as, least, most, optional, choices }, schema) => {
    const takes = (value: unknown) => schema.safeParse(value).success;
    if (as === 'own') return;
    expect(takes(null)).toBe(optional === true);
    if (as === 'number') {
      expect(least).toBeDefined();
      expect([takes(least), takes((least as number) - 1)]).toEqual([true, false]);
      if (most !== undefined) expect([takes(most), takes(most + 1)]).toEqual([true, false]);
    }
    if (as === 'text' && most !== undefined) expect(takes('x'.repeat(most))).toBe(true);
    if (as === 'switch') expect([takes(true), takes(false)]).toEqual([true, true]);
    if (choices) expect([...choices.map(([value]) => takes(value)), takes('none of them')]).toEqual([...choices.map(() => true), false]);
  },
);
