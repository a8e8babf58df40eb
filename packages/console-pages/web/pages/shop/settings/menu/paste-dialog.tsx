import { useState } from 'react';
import { Dialog, Field } from '../../../../components/index.ts';
import { money, plural } from '../../../../logic/format.ts';
import { type MenuEntry, menuEntriesOf, parsePastedMenu, withoutFaults } from '../../../../logic/pasted-menu.ts';
import { announce } from '../../../../shell/announce.tsx';
import type { MenuItem } from '../offer-objects.ts';
import { countPasted, tableOf } from './menu-draft.ts';

interface Props {
  readonly items: readonly MenuItem[];
  readonly currency: string;
  readonly onPaste: (entries: readonly MenuEntry[]) => void;
  readonly onClose: () => void;
}

/** A whole menu at once: pasted lines, or a table of a spreadsheet. What was read is shown before it goes into the draft. */
export function PasteDialog({ items, currency, onPaste, onClose }: Props) {
  const [text, setText] = useState('');
  const { items: read, faults } = parsePastedMenu(text, currency);
  const entries = menuEntriesOf(read, items);
  const { added, changed } = countPasted(items, entries);
  const put = () => {
    onPaste(entries);
    announce(`${plural(added, 'item')} added and ${changed} changed. Save to sell them.`);
    onClose();
  };
  return (
    <Dialog title="Paste a menu" onClose={onClose}>
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
      {text === '' && items.length > 0 && (
        <button type="button" className="small" onClick={() => setText(tableOf(items, currency))}>
          Begin with the menu as it is
        </button>
      )}
      <div role="status">
        {text.trim() !== '' && (
          <p>
            <b>{plural(added, 'new item')}</b>, {changed} changed, {entries.length - added - changed} as before.
          </p>
        )}
        {faults.length > 0 && (
          <ul className="field-error paste-faults">
            {faults.map(({ line, text: fault }) => (
              <li key={line}>
                Line {line}: {fault}
              </li>
            ))}
          </ul>
        )}
      </div>
      {faults.length > 0 && (
        <button type="button" className="small" onClick={() => setText(withoutFaults(text, faults))}>
          Leave {plural(faults.length, 'line')} out
        </button>
      )}
      {entries.length > 0 && (
        <ul className="paste-preview">
          {entries.map(({ id, name, price_pence }) => (
            <li key={id}>
              <span>{name}</span>
              <span className="numeric">{money(price_pence, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="dialog-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="primary" disabled={faults.length > 0 || added + changed === 0} onClick={put}>
          Put into the menu
        </button>
      </div>
    </Dialog>
  );
}

const hint =
  'Such as Flat white 3.20. A table may begin with name, price, vat, stock, minutes. An item with a name of the menu changes it.';
