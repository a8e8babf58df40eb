import { type FormEvent, useState } from 'react';
import { ActionButton, Badge } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import type { ItemSwitch, SwitchedItem } from '../switch-operations.ts';
import { timeText } from '../timing.ts';
import { parseLeft, stateText } from './menu.ts';

interface Props {
  readonly item: SwitchedItem;
  readonly currency: string;
  readonly zone: string | undefined;
  readonly isBusy: boolean;
  onSwitch(item: SwitchedItem, change: ItemSwitch): void;
}

export function MenuItem({ item, currency, zone, isBusy, onSwitch }: Props) {
  const { name, kind, of, price_pence, sold_out, sold_out_switch, available, by } = item;
  const button = (label: string, sold: SwitchedItem['sold_out_switch'], isPrimary = false) => (
    <ActionButton className={isPrimary ? 'primary' : ''} busy={isBusy} onClick={() => onSwitch(item, { sold_out: sold })}>
      {label}
      <span className="unseen">: {name}</span>
    </ActionButton>
  );
  const more = stateText(item, (instant) => timeText(instant, zone));
  return (
    <article className="menu-item" aria-label={name} data-item={item.menu_item_id}>
      <div className="menu-item-name">
        <h2 className="card-title">{name}</h2>
        <p className="order-marks">
          <Badge tone={!available ? 'quiet' : sold_out ? 'bad' : 'good'}>
            {available && !sold_out ? 'on sale' : sold_out ? 'sold out' : 'off the menu'}
          </Badge>
          {more && <span>{more}</span>}
          <span className="quiet">{kind === 'item' ? money(price_pence, currency) : `chosen with ${of.join(', ')}`}</span>
          {by?.name && <span className="quiet">by {by.name}</span>}
        </p>
      </div>
      <div className="menu-item-switches">
        {sold_out_switch === 'no' ? (
          <>
            {button('Sold out until closing', 'until_closing')}
            {button('Until I say', 'until_changed')}
          </>
        ) : (
          button('On sale again', 'no', true)
        )}
        <LeftField key={`${item.left}`} item={item} isBusy={isBusy} onSwitch={onSwitch} />
      </div>
    </article>
  );
}

/** An empty field lets the stock of the menu apply again. */
function LeftField({ item, isBusy, onSwitch }: Pick<Props, 'item' | 'isBusy' | 'onSwitch'>) {
  const [typed, setTyped] = useState(item.left === null ? '' : String(item.left));
  const left = parseLeft(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (left !== undefined && left !== item.left) onSwitch(item, { left });
  };
  return (
    <form className="left-field" onSubmit={submit}>
      <label>
        Left
        <span className="unseen"> of {item.name}, empty when not counted</span>
        <input
          inputMode="numeric"
          maxLength={6}
          value={typed}
          aria-invalid={left === undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <ActionButton type="submit" className="small" busy={isBusy} disabled={left === undefined || left === item.left}>
        Set<span className="unseen"> what is left of {item.name}</span>
      </ActionButton>
    </form>
  );
}
