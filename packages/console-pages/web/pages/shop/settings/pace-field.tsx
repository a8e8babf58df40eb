import { storeSettings } from '@corner/contracts/settings';
import type { Bound } from './bound.ts';
import type { DirectoryStore } from './directory-objects.ts';
import { ChoiceField, NumberField } from './form-fields.tsx';

const units = [
  ['max_items', 'items'],
  ['make_minutes', 'minutes of work'],
] as const;

/** The pace of the kitchen: a number for a quarter of an hour, in items or minutes of work. An empty number means no pace. */
export function PaceField({ of }: { readonly of: Bound<DirectoryStore['pace']> }) {
  const { value } = of;
  const unit = value?.make_minutes === undefined ? 'max_items' : 'make_minutes';
  const most = value?.[unit] ?? null;
  const set = (amount: number | null, by: 'max_items' | 'make_minutes' = unit) =>
    of.set(amount === null ? null : { minutes: 15, [by]: amount });
  const { label, hint } = storeSettings.pace;
  return (
    <>
      <NumberField label={label} hint={hint} of={{ ...of, value: most, set } as Bound<number | null>} optional />
      {most !== null && (
        <ChoiceField
          label="Counted in"
          hint="How many minutes of work an item takes is in its details, in Settings, Menu."
          of={{ ...of, error: null, value: unit, set: (by: typeof unit) => set(most, by) } as Bound<string>}
          options={units}
        />
      )}
    </>
  );
}
