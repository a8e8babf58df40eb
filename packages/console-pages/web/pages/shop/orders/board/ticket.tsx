import type { CSSProperties } from 'react';
import { ActionButton } from '../../../../components/index.ts';
import type { Order } from '../../operations.ts';
import { timeText } from '../../timing.ts';
import type { Step } from '../order-actions.ts';
import { ageOf, callOf, numberOf } from './tickets.ts';

interface Props {
  readonly order: Order;
  readonly storeCode: string;
  readonly now: number;
  readonly timeZone: string | undefined;
  readonly index: number;
  readonly step: Step | null;
  readonly isBusy: boolean;
  readonly isNew: boolean;
  /** Null while orders are moved one by one. */
  readonly isPicked: boolean | null;
  onStep(): void;
  onPick(): void;
  onOpen(): void;
  onTouch(): void;
}

const keyOf = (index: number): string | undefined => (index < 10 ? String((index + 1) % 10) : undefined);

export function Ticket(props: Props) {
  const { order, storeCode, now, index, onTouch, onOpen } = props;
  const { text, tone } = ageOf(order, now);
  const call = callOf(order, storeCode);
  const isReady = order.fulfilment_status === 'ready';
  const digit = keyOf(index);
  return (
    // biome-ignore lint/a11y: the keyboard touches it by its buttons
    <article
      className={`ticket-card ${tone}`}
      data-state={stateOf(order)}
      data-order={order.id}
      aria-label={`Order ${call}`}
      onClick={onTouch}
    >
      <header>
        <button
          type="button"
          className="ticket-call"
          style={{ '--letters': call.length } as CSSProperties}
          onClick={onOpen}
          aria-haspopup="dialog"
        >
          <span className="unseen">Details of </span>
          {call}
        </button>
        <NextStep {...props} call={call} digit={digit} />
        <p className="ticket-facts">
          <span>{facts(props).join(' · ')}</span>
          <b className="ticket-age">{text}</b>
        </p>
      </header>
      {!isReady && <Lines order={order} />}
    </article>
  );
}

function NextStep({
  step,
  isBusy,
  isPicked,
  onStep,
  onPick,
  call,
  digit,
}: Props & { readonly call: string; readonly digit: string | undefined }) {
  const key = digit && <kbd className="ticket-key">{digit}</kbd>;
  if (isPicked !== null && step)
    return (
      <button type="button" className="ticket-step" data-step aria-pressed={isPicked} aria-keyshortcuts={digit} onClick={onPick}>
        {isPicked ? 'Picked' : 'Pick'}
        <span className="unseen"> {call}</span>
        {key}
      </button>
    );
  return (
    step && (
      <ActionButton className="ticket-step primary" data-step busy={isBusy} aria-keyshortcuts={digit} onClick={onStep}>
        {step.label}
        <span className="unseen"> {call}</span>
        {key}
      </ActionButton>
    )
  );
}

type State = 'new' | 'accepted' | 'preparing' | 'ready';

const stateTexts: Readonly<Record<State, string>> = { new: 'To accept', accepted: 'To make', preparing: 'Being made', ready: 'Ready' };

function stateOf({ fulfilment_status, order_type }: Order): State {
  if (fulfilment_status === 'preparing' || fulfilment_status === 'ready') return fulfilment_status;
  return fulfilment_status === null && order_type === 'collect' ? 'new' : 'accepted';
}

function facts({ order, storeCode, timeZone, isNew, now }: Props): readonly string[] {
  const { table_number, customer_name, collection_mode, requested_collection_at, disputed, order_type } = order;
  const units = order.items.reduce((sum, { quantity }) => sum + quantity, 0);
  const isBooked = collection_mode === 'scheduled' && requested_collection_at !== null && ageOf(order, now).tone !== 'late';
  return [
    ...(isNew ? ['New'] : []),
    stateTexts[stateOf(order)],
    ...(disputed ? ['disputed'] : []),
    ...(table_number ? [`table ${table_number}`] : []),
    ...(order_type === 'buy_now' ? ['at once'] : isBooked && requested_collection_at ? [timeText(requested_collection_at, timeZone)] : []),
    ...(customer_name ? [customer_name] : []),
    ...(order.fulfilment_status === 'ready' ? [`${units} ${units === 1 ? 'unit' : 'units'}`] : []),
    ...(order.collection_code ? [numberOf(order.order_number, storeCode)] : []),
  ];
}

const Lines = ({ order }: { readonly order: Order }) => (
  <ul className="ticket-lines">
    {order.items.map(({ position, name, quantity, choices, note }) => (
      <li key={position}>
        <b>{quantity} ×</b> {name}
        {choices.length > 0 && <span className="ticket-choices">{choices.map((choice) => choice.name).join(', ')}</span>}
        {note !== null && <span className="ticket-note">“{note}”</span>}
      </li>
    ))}
    {order.items.length === 0 && <li>In its parts</li>}
  </ul>
);
