import { useState } from 'react';
import { Choice, Field } from '../../../../components/index.ts';
import { plural } from '../../../../logic/format.ts';
import { announce } from '../../../../shell/announce.tsx';
import type { MenuItem } from '../offer-objects.ts';
import { type Fact, type Filter, partsOf, readFact } from './menu-many.ts';

interface FindProps {
  readonly items: readonly MenuItem[];
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export function FindItems({ items, filter, onChange }: FindProps) {
  const parts = partsOf(items);
  return (
    <div className="form-row">
      <Field label="Find an item">
        {(props) => (
          <input
            {...props}
            type="search"
            autoComplete="off"
            spellCheck={false}
            value={filter.text}
            onChange={({ target }) => onChange({ ...filter, text: target.value })}
          />
        )}
      </Field>
      {parts.length > 1 && (
        <Choice
          label="Show the part"
          value={filter.part === null ? 'all' : `part ${filter.part}`}
          options={[['all', 'All parts'], ...parts.map((part) => [`part ${part}`, part || 'Without a part'] as const)]}
          onChoose={(part) => onChange({ ...filter, part: part === 'all' ? null : part.slice('part '.length) })}
        />
      )}
    </div>
  );
}

const factTexts: Readonly<Record<Fact, readonly [name: string, hint: string]>> = {
  category: ['Part of the menu', 'Such as Coffee. Empty: none.'],
  vat_rate_bps: ['VAT in the price', 'Such as 20. Empty: none is shown.'],
  allergens: ['Allergens', 'Such as milk, gluten. “none” for none of the fourteen. Empty: not said.'],
};

interface SetProps {
  readonly count: number;
  readonly sources: readonly MenuItem[];
  readonly copyOptions: (source: MenuItem) => void;
  readonly set: (fact: Fact, value: MenuItem[Fact]) => void;
}

export function SetForAll({ count, set, sources, copyOptions }: SetProps) {
  const [fact, choose] = useState<Fact>('category');
  const [typed, setTyped] = useState('');
  const read = readFact(fact, typed);
  const put = () => {
    if ('fault' in read) return;
    set(fact, read.value ?? null);
    announce(`${factTexts[fact][0]}: set for ${plural(count, 'item')}. Save to sell them so.`);
  };
  return (
    <details>
      <summary>Set something for {count === 1 ? 'this item' : `these ${count} items`}</summary>
      <div className="form-row">
        <Choice
          label="What"
          value={fact}
          options={Object.entries(factTexts).map(([each, [name]]) => [each, name] as const)}
          onChoose={(each) => choose(each as Fact)}
        />
        <Field label="To" hint={factTexts[fact][1]} error={'fault' in read ? read.fault : null}>
          {(props) => <input {...props} value={typed} onChange={({ target }) => setTyped(target.value)} />}
        </Field>
      </div>
      <button type="button" disabled={'fault' in read} onClick={put}>
        Set for {plural(count, 'item')}
      </button>
      {sources.length > 0 && <CopyOptions {...{ count, sources, copyOptions }} />}
    </details>
  );
}

function CopyOptions({ count, sources, copyOptions }: Omit<SetProps, 'set'>) {
  const [id, choose] = useState('');
  const source = sources.find((item) => item.id === id) ?? sources[0];
  const put = () => {
    if (source === undefined) return;
    copyOptions(source);
    announce(`The options of ${source.name} are those of ${plural(count, 'item')}. Save to sell them so.`);
  };
  return (
    <div className="form-row">
      <Choice
        label="Options of"
        value={source?.id ?? ''}
        options={sources.map((item) => [item.id, item.name] as const)}
        onChoose={choose}
      />
      <button type="button" onClick={put}>
        Copy them to {plural(count, 'item')}
      </button>
    </div>
  );
}
