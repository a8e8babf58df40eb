import { money, plural } from '../../logic/format.ts';
import { withoutFaults } from '../../logic/pasted-menu.ts';
import { weekText } from '../../logic/week.ts';
import { hoursOf, menuOf, type OpeningForm, programmeOf } from './opening.ts';

interface Props {
  readonly form: OpeningForm;
}

/** The lines of the menu that are no items, with a button that leaves them out. */
export function MenuFaults({ form, setMenu }: Props & { readonly setMenu: (menu: string) => void }) {
  const { faults } = menuOf(form);
  if (faults.length === 0) return null;
  return (
    <div className="opening-faults" role="status">
      <p>
        <b>{plural(faults.length, 'line')} to correct</b>
      </p>
      <ul>
        {faults.map(({ line, text }) => (
          <li key={line}>
            Line {line}: {text}
          </li>
        ))}
      </ul>
      <button type="button" className="small" onClick={() => setMenu(withoutFaults(form.menu, faults))}>
        Leave these lines out
      </button>
    </div>
  );
}

/** The shop as customers will see it, and the lines of the menu that are no items. */
export function MenuPreview({ form }: Props) {
  const { items } = menuOf(form);
  const hours = hoursOf(form);
  const programme = programmeOf(form);
  return (
    <section className="card opening-preview" aria-label="Preview">
      <h2>{form.name.trim() || 'Your shop'}</h2>
      <p className="quiet">{hours.length === 0 ? 'No hours yet' : weekText(hours)}</p>
      {items.length === 0 ? (
        <p className="quiet">The items of your menu appear here.</p>
      ) : (
        <>
          <p className="unseen" role="status">
            {plural(items.length, 'item')}
          </p>
          <ul className="opening-items">
            {items.map(({ line, name, price_pence }) => (
              <li key={line}>
                <span>{name}</span>
                <span className="numeric">{money(price_pence, form.currency)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {'goal' in programme && (
        <p>
          <b>{plural(programme.goal, 'stamp')}:</b> {programme.reward_title}
        </p>
      )}
    </section>
  );
}
