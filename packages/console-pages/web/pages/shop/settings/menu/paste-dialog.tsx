import { useState } from 'react';
import { Dialog, Field } from '../../../../components/index.ts';
import { money, plural } from '../../../../logic/format.ts';
import { type MenuEntry, menuEntriesOf, parsePastedMenu } from '../../../../logic/pasted-menu.ts';
import { announce } from '../../../../shell/announce.tsx';
import type { MenuItem } from '../offer-objects.ts';
import { countPasted, tableOf } from './menu-draft.ts';
import { PastedQuestions } from './pasted-questions.tsx';

interface Props {
  readonly items: readonly MenuItem[];
  readonly currency: string;
  readonly onPaste: (entries: readonly MenuEntry[]) => void;
  readonly onClose: () => void;
}

export function PasteDialog({ items, currency, onPaste, onClose }: Props) {
  const [text, setText] = useState('');
  const menu = parsePastedMenu(text, currency);
  const entries = menuEntriesOf(menu.items, items);
  const isOpen = menu.faults.length > 0 || menu.unknown.length > 0;
  const { added, changed } = countPasted(items, entries);
  const put = () => {
    onPaste(entries);
    announce(`${plural(added, 'item')} added and ${changed} changed. Save to sell them.`);
    onClose();
  };
  return (
    <Dialog title="Paste a menu" onClose={onClose}>
      <Sources text={text} setText={setText} />
      {text === '' && items.length > 0 && (
        <button type="button" className="small" onClick={() => setText(tableOf(items, currency))}>
          Begin with the menu as it is
        </button>
      )}
      <p role="status">
        {text.trim() !== '' && (
          <>
            <b>{plural(added, 'new item')}</b>, {changed} changed, {entries.length - added - changed} as before.
          </>
        )}
      </p>
      <PastedQuestions text={text} menu={menu} setText={setText} />
      {entries.length > 0 && <Preview entries={entries} currency={currency} />}
      <div className="dialog-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="primary" disabled={isOpen || added + changed === 0} onClick={put}>
          Put into the menu
        </button>
      </div>
    </Dialog>
  );
}

const Sources = ({ text, setText }: { readonly text: string; readonly setText: (text: string) => void }) => (
  <>
    <Field label="A line for each item" hint={hint}>
      {(props) => (
        <textarea
          {...props}
          rows={8}
          spellCheck={false}
          placeholder={'Flat white 3.20\nCroissant 2.90'}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
    </Field>
    <Field label="Or a file of a spreadsheet, as CSV">
      {(props) => (
        <input
          {...props}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
        />
      )}
    </Field>
  </>
);

const Preview = ({ entries, currency }: { readonly entries: readonly MenuEntry[]; readonly currency: string }) => (
  <ul className="paste-preview">
    {entries.map(({ id, name, price_pence, category }) => (
      <li key={id}>
        <span>
          {name}
          {category && <span className="quiet"> {category}</span>}
        </span>
        <span className="numeric">{money(price_pence, currency)}</span>
      </li>
    ))}
  </ul>
);

const hint =
  'Such as Flat white 3.20, below a heading such as Coffee. A table may begin with name, price, vat, stock, minutes, category, allergens, description. An item with a name of the menu changes it.';
