import { Choice } from '../../../../components/index.ts';
import { plural } from '../../../../logic/format.ts';
import { type Column, columnNames, namingColumn, type PastedMenu, withHeadings, withoutFaults } from '../../../../logic/pasted-menu.ts';

interface Props {
  readonly text: string;
  readonly menu: PastedMenu;
  readonly setText: (text: string) => void;
}

export function PastedQuestions({ text, menu: { unknown, faults, items, reading }, setText }: Props) {
  const maybe = faults.filter(({ mayBeHeading }) => mayBeHeading).length;
  return (
    <>
      {unknown.map(({ index, heading }) => (
        <Choice
          key={index}
          label={`What is in the column “${heading}”?`}
          value=""
          options={columnChoices}
          onChoose={(name) => setText(namingColumn(text, index, name === 'none' ? null : (name as Column)))}
        />
      ))}
      <div role="status">
        {reading !== null && items.length > 0 && <p className="quiet">{reading}</p>}
        {faults.length > 0 && (
          <>
            <p>
              <b>{plural(faults.length, 'line')} to correct</b>
            </p>
            <ul className="field-error paste-faults">
              {faults.map(({ line, words, text: fault }) => (
                <li key={line}>
                  Line {line}, “{words}”: {fault}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {maybe > 0 && (
        <button type="button" className="small" onClick={() => setText(withHeadings(text, faults))}>
          {maybe === 1 ? 'One of them is a heading' : `${maybe} of them are headings`}
        </button>
      )}
      {faults.length > 0 && (
        <button type="button" className="small" onClick={() => setText(withoutFaults(text, faults))}>
          Leave {plural(faults.length, 'line')} out
        </button>
      )}
    </>
  );
}

const columnTexts: Readonly<Record<Column, string>> = {
  name: 'The name',
  price: 'The price',
  vat: 'The VAT',
  stock: 'The stock',
  minutes: 'The minutes it takes',
  category: 'The part of the menu',
  allergens: 'The allergens',
  description: 'The description',
};
const columnChoices: readonly (readonly [string, string])[] = [
  ['', 'Choose'],
  ['none', 'Leave it out'],
  // A table that was read has a name and a price.
  ...columnNames.filter((name) => name !== 'name' && name !== 'price').map((name) => [name, columnTexts[name]] as const),
];
