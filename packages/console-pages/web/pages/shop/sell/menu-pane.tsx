import { money } from '../../../logic/format.ts';
import { groupsOf, type MenuItem } from './basket.ts';
import type { Selling } from './selling.ts';

interface Props {
  readonly items: readonly MenuItem[];
  readonly currency: string;
  readonly group: string | null;
  choose(group: string): void;
  readonly selling: Selling;
}

const rest = 'Other';

export function MenuPane({ items, currency, group, choose, selling }: Props) {
  const groups = groupsOf(items);
  const shown = groups.find(([name]) => (name ?? rest) === group) ?? groups[0];
  return (
    <>
      {groups.length > 1 && (
        <div className="sell-groups">
          {groups.map(([name]) => (
            <button type="button" key={name ?? rest} aria-pressed={name === shown?.[0]} onClick={() => choose(name ?? rest)}>
              {name ?? rest}
            </button>
          ))}
        </div>
      )}
      {items.length === 0 && <p className="quiet">The menu is empty. Add items in Settings, Menu.</p>}
      <ul className="sell-items">
        {(shown?.[1] ?? []).map((item, index) => (
          <li key={item.id}>
            <button
              type="button"
              className="sell-item"
              data-item={item.id}
              data-first={index === 0 ? '' : undefined}
              onClick={() => selling.till({ type: 'item', item })}
            >
              <span className="sell-item-name">{item.name}</span>
              <span>{item.sold_out ? 'Sold out' : money(item.price_pence, currency)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
