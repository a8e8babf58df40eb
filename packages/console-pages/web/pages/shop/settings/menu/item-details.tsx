import { useState } from 'react';
import type { Bound } from '../bound.ts';
import { ChoiceField, OptionalTextField } from '../form-fields.tsx';
import type { MenuItem } from '../offer-objects.ts';
import { PictureField } from '../picture-field.tsx';
import { allergenNames, dietNames } from './food-facts.ts';

export function ItemDetails({ of }: { readonly of: Bound<MenuItem> }) {
  const name = of.value.name || 'the item';
  return (
    <>
      <OptionalTextField
        label="Part of the menu"
        hint="Such as Coffee. Items of one part stand together."
        of={of.field('category')}
        maxLength={60}
      />
      <OptionalTextField label="Description" of={of.field('description')} rows={2} maxLength={500} />
      <PictureField label={`Picture of ${name}`} of={of.field('image_url')} />
      <AllergensField of={of.field('allergens')} name={name} />
      <ChecksField legend={`Fit for, of ${name}`} names={dietNames} of={of.field('diet')} />
    </>
  );
}

type Allergens = MenuItem['allergens'];

export function AllergensField({ of, name }: { readonly of: Bound<Allergens>; readonly name: string }) {
  const { value, set } = of;
  const [contains, setContains] = useState(false);
  const said = (value?.length ?? 0) > 0 || (contains && value === null) ? 'contains' : value === null ? 'nothing' : 'none';
  const say = (answer: Answer) => {
    setContains(answer === 'contains');
    set(answer === 'none' ? [] : null);
  };
  return (
    <>
      <ChoiceField<Answer>
        label={`Allergens of ${name}`}
        hint="Customers see them before they pay. Not said is shown as not said."
        of={{ ...of, value: said, set: say } as Bound<Answer>}
        options={answers}
      />
      {said === 'contains' && (
        <ChecksField
          legend={`Contains, of ${name}`}
          names={allergenNames}
          of={
            {
              ...of,
              value: value ?? [],
              error: null,
              set: (next: readonly string[]) => set(next.length > 0 ? (next as Allergens) : null),
            } as Bound<NonNullable<Allergens>>
          }
        />
      )}
    </>
  );
}

type Answer = 'nothing' | 'none' | 'contains';
const answers = [
  ['nothing', 'Not said yet'],
  ['none', 'None of the fourteen'],
  ['contains', 'Contains …'],
] as const;

interface ChecksProps<V extends string> {
  readonly legend: string;
  readonly names: Readonly<Record<V, string>>;
  readonly of: Bound<V[]>;
}

function ChecksField<V extends string>({ legend, names, of: { value, locked, error, set } }: ChecksProps<V>) {
  return (
    <fieldset className="field checks" disabled={locked}>
      <legend>{legend}</legend>
      {(Object.entries(names) as [V, string][]).map(([each, text]) => (
        <label key={each} className="check">
          <input
            type="checkbox"
            checked={value.includes(each)}
            onChange={({ target }) => set(target.checked ? [...value, each] : value.filter((other) => other !== each))}
          />
          {text}
        </label>
      ))}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  );
}
