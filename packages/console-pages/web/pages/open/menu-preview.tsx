import { money, plural } from '../../logic/format.ts';
import { weekText } from '../../logic/week.ts';
import { PastedQuestions } from '../shop/settings/index.ts';
import { hoursOf, menuOf, type OpeningForm, programmeOf } from './opening.ts';

interface Props {
  readonly form: OpeningForm;
}

export function MenuQuestions({ form, setMenu }: Props & { readonly setMenu: (menu: string) => void }) {
  const menu = menuOf(form);
  if (menu.faults.length === 0 && menu.unknown.length === 0 && menu.reading === null) return null;
  return (
    <div className="opening-faults">
      <PastedQuestions text={form.menu} menu={menu} setText={setMenu} />
    </div>
  );
}

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
            {items.map(({ line, name, price_pence, category }) => (
              <li key={line}>
                <span>
                  {name}
                  {category && <span className="quiet"> {category}</span>}
                </span>
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
