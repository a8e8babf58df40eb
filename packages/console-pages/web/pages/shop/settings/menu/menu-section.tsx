import { useState } from 'react';
import { Empty, Section } from '../../../../components/index.ts';
import { plural } from '../../../../logic/format.ts';
import type { Bound } from '../bound.ts';
import { MoneyField, NumberField, RateField, SwitchField, TextField } from '../form-fields.tsx';
import { ListField } from '../list-field.tsx';
import { type MenuItem, menuObject, useSavedStore } from '../offer-objects.ts';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type Edited, useObject } from '../use-object.ts';
import { AddItem } from './add-item.tsx';
import { ItemDetails } from './item-details.tsx';
import { ItemOptions } from './item-options.tsx';
import { FindItems, SetForAll } from './many-items.tsx';
import { itemFacts, newItem, withPasted } from './menu-draft.ts';
import { type Filter, shownBy, sourcesOf, withFact, withOptionsOf } from './menu-many.ts';
import { PasteDialog } from './paste-dialog.tsx';

export default function MenuSection() {
  const edited = useObject(menuObject);
  const currency = useSavedStore()?.currency;
  const [pasting, paste] = useState(false);
  const items = edited.state?.draft.items ?? [];
  const button = (
    <button type="button" aria-haspopup="dialog" disabled={currency === undefined} onClick={() => paste(true)}>
      Paste a menu
    </button>
  );
  return (
    <SettingsPage title="Items and prices" about="What is sold, in the order that customers see." controls={button}>
      <SettingsForm of={[edited]}>{() => (currency === undefined ? null : <Items edited={edited} currency={currency} />)}</SettingsForm>
      {pasting && currency !== undefined && (
        <PasteDialog
          {...{ items, currency }}
          onPaste={(entries) => edited.set({ items: withPasted(items, entries) })}
          onClose={() => paste(false)}
        />
      )}
    </SettingsPage>
  );
}

const manyItems = 8;
const all = () => true;

function Items({ edited, currency }: { readonly edited: Edited<Parameters<typeof menuObject.changes>[0]>; readonly currency: string }) {
  const [filter, find] = useState<Filter>({ text: '', part: null });
  const of = edited.bind('items');
  const items = of.value;
  const shows = shownBy(filter);
  const found = shows ? items.filter(shows).length : items.length;
  return (
    <Section title={plural(items.length, 'item')}>
      <AddItem currency={currency} onAdd={(name, price) => of.set([...items, newItem(items, name, price)])} />
      {items.length > manyItems && (
        <>
          <FindItems {...{ items, filter }} onChange={find} />
          {found > 0 && !of.locked && (
            <SetForAll
              count={found}
              set={(fact, value) => of.set(withFact(items, shows ?? all, fact, value))}
              sources={sourcesOf(items, shows ?? all)}
              copyOptions={(source) => of.set(withOptionsOf(items, shows ?? all, source))}
            />
          )}
        </>
      )}
      {found === 0 && items.length > 0 && <Empty title="No item has this in its name." />}
      <ListField<MenuItem>
        {...{ of, shows }}
        ordered
        keyOf={({ id }) => id}
        nameOf={({ name }) => name || 'the item without a name'}
        empty={<Empty title="No item yet.">Add the first one above, or paste a whole menu: a line for each item.</Empty>}
      >
        {(item) => <Item of={item} items={of} currency={currency} />}
      </ListField>
    </Section>
  );
}

interface ItemProps {
  readonly of: Bound<MenuItem>;
  readonly items: Bound<MenuItem[]>;
  readonly currency: string;
}

function Item({ of, items, currency }: ItemProps) {
  const { name } = of.value;
  const about = (what: string) => (
    <span className="unseen">
      {what} of {name || 'the item'}
    </span>
  );
  const further = (['vat_rate_bps', 'stock', 'prep_minutes', 'make_minutes', 'diet', 'allergens', 'options'] as const).some(
    (field) => of.field(field).error !== null,
  );
  const [isOpen, open] = useState(false);
  return (
    <>
      <div className="menu-row">
        <TextField label={about('Name')} of={of.field('name')} maxLength={120} required autoComplete="off" />
        <MoneyField label={about('Price')} of={of.field('price_pence') as Bound<number | null>} currency={currency} />
      </div>
      <details open={isOpen || further} onToggle={({ currentTarget }) => open(currentTarget.open)}>
        <summary>
          {itemFacts(of.value)}
          <span className="unseen">: more of {name}</span>
        </summary>
        <div className="form-row">
          <RateField label="VAT in the price" hint="Empty: none is shown." of={of.field('vat_rate_bps')} optional />
          <NumberField
            label="Stock"
            hint="Empty: not counted. What is left today is counted on the page Menu."
            of={of.field('stock')}
            unit="units"
            optional
          />
          <NumberField label="Takes" of={of.field('prep_minutes') as Bound<number | null>} unit="minutes" />
          <NumberField label="Work" hint="Where the pace counts minutes. Empty: 1." of={workOf(of)} unit="minutes" optional />
        </div>
        <SwitchField
          label="On the menu"
          hint="For a day or an hour, mark it as sold out on the page Menu instead."
          of={of.field('available')}
        />
        {(isOpen || further) && (
          <>
            <ItemDetails of={of} />
            <ItemOptions {...{ of, items, currency }} />
          </>
        )}
      </details>
    </>
  );
}

function workOf(of: ItemProps['of']): Bound<number | null> {
  const { make_minutes = null, ...item } = of.value;
  const set = (minutes: number | null) => of.set(minutes === null ? item : { ...item, make_minutes: minutes });
  return { ...of.field('make_minutes'), value: make_minutes, set } as unknown as Bound<number | null>;
}
