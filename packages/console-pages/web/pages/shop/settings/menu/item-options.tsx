import { type FormEvent, useId, useState } from 'react';
import type { Bound } from '../bound.ts';
import { MoneyField, NumberField, SwitchField, TextField } from '../form-fields.tsx';
import { ListField } from '../list-field.tsx';
import type { MenuItem } from '../offer-objects.ts';
import { allergensText } from './food-facts.ts';
import { AllergensField } from './item-details.tsx';
import { type Choice, itemsToCopyFrom, newChoice, newOption, type Option, takesText, withChoice, withCopied } from './menu-options.ts';

interface Props {
  readonly of: Bound<MenuItem>;
  /** A choice is the same thing in all items of the menu. */
  readonly items: Bound<MenuItem[]>;
  readonly currency: string;
}

export function ItemOptions({ of, items, currency }: Props) {
  const options = of.field('options');
  const { name } = of.value;
  const sources = itemsToCopyFrom(items.value, of.value);
  return (
    <fieldset className="span-list">
      <legend>Options of {name || 'the item'}</legend>
      <ListField<Option>
        of={options}
        most={20}
        keyOf={({ id }) => id}
        nameOf={(option, index) => `${option.name || `option ${index + 1}`} of ${name}`}
        add={{ label: 'Add an option', make: () => newOption(options.value) }}
      >
        {(option) => <OptionFields of={option} {...{ items, currency }} item={name} />}
      </ListField>
      {sources.length > 0 && !of.locked && (
        <label className="copy-options">
          Copy the options of
          <select
            value=""
            onChange={({ target }) => {
              const source = sources.find(({ id }) => id === target.value);
              if (source) options.set(withCopied(options.value, source.options));
            }}
          >
            <option value="">an item</option>
            {sources.map((source) => (
              <option key={source.id} value={source.id}>
                {source.name}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

function OptionFields({ of, items, item, currency }: Omit<Props, 'of'> & { readonly of: Bound<Option>; readonly item: string }) {
  const choices = of.field('choices');
  const { name } = of.value;
  return (
    <>
      <div className="form-row">
        <TextField label={<Named what="Option" of={item} />} of={of.field('name')} maxLength={60} required autoComplete="off" />
        <NumberField label={<Named what="At least" of={`${name} of ${item}`} />} of={of.field('min') as Bound<number | null>} />
        <NumberField label={<Named what="At most" of={`${name} of ${item}`} />} of={of.field('max') as Bound<number | null>} />
      </div>
      <p className="quiet">
        A customer who orders {item || 'the item'} {takesText(of.value)}.
      </p>
      <ListField<Choice>
        of={choices}
        ordered
        most={50}
        keyOf={({ id }) => id}
        nameOf={(choice, index) => `${choice.name || `choice ${index + 1}`}, ${name} of ${item}`}
      >
        {(choice) => <ChoiceFields of={choice} {...{ items, currency }} at={`${name} of ${item}`} />}
      </ListField>
      {!of.locked && (
        <AddChoice at={`${name} of ${item}`} onAdd={(typed) => choices.set([...choices.value, newChoice(items.value, typed)])} />
      )}
    </>
  );
}

function ChoiceFields({ of, items, at, currency }: Omit<Props, 'of'> & { readonly of: Bound<Choice>; readonly at: string }) {
  const { id, name, allergens } = of.value;
  const everywhere = <K extends 'name' | 'allergens'>(field: K): Bound<Choice[K]> =>
    ({ ...of.field(field), set: (value: Choice[K]) => items.set(withChoice(items.value, id, { [field]: value })) }) as Bound<Choice[K]>;
  return (
    <>
      <div className="menu-row">
        <TextField label={<Named what="Choice" of={at} hidden />} of={everywhere('name')} maxLength={60} required autoComplete="off" />
        <MoneyField
          label={<Named what={`Price of ${name}`} of={at} hidden />}
          of={of.field('price_pence') as Bound<number | null>}
          currency={currency}
        />
      </div>
      <details>
        <summary>
          {allergensText(allergens)}
          <span className="unseen">
            : more of {name}, {at}
          </span>
        </summary>
        <AllergensField of={everywhere('allergens')} name={`${name}, ${at}`} />
        <SwitchField label={<Named what="Offered" of={`${name}, ${at}`} />} of={of.field('available')} />
      </details>
    </>
  );
}

const Named = ({ what, of, hidden = false }: { readonly what: string; readonly of: string; readonly hidden?: boolean }) => (
  <span className={hidden ? 'unseen' : undefined}>
    {what}
    <span className="unseen"> of {of}</span>
  </span>
);

function AddChoice({ at, onAdd }: { readonly at: string; readonly onAdd: (name: string) => void }) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const add = (event: FormEvent | { preventDefault(): void }) => {
    event.preventDefault();
    if (typed.trim() === '') return;
    onAdd(typed);
    setTyped('');
  };
  return (
    <div className="add-choice">
      <label htmlFor={id}>
        New choice<span className="unseen"> of {at}</span>
      </label>
      <input
        id={id}
        maxLength={60}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && add(event)}
      />
      <button type="button" onClick={add} disabled={typed.trim() === ''}>
        Add<span className="unseen"> the choice to {at}</span>
      </button>
    </div>
  );
}
