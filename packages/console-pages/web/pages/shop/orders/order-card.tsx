import { ActionButton, Badge, Timer } from '../../../components/index.ts';
import type { Order } from '../operations.ts';
import { columnOf, dueAt, isOpen } from '../order-columns.ts';
import { changedAt, dueText, isLate, timeText } from '../timing.ts';
import { actionsOf, paymentOf, type Step } from './order-actions.ts';

interface Props {
  readonly order: Order;
  readonly role: string;
  readonly now: number;
  readonly timeZone: string | undefined;
  readonly isBusy: boolean;
  readonly isNew: boolean;
  onStep(order: Order, step: Step): void;
  onOpen(order: Order): void;
  onTouch(id: string): void;
}

export function OrderCard({ order, role, now, timeZone, isBusy, isNew, onStep, onOpen, onTouch }: Props) {
  const late = isLate(order, now);
  const { next } = actionsOf(order, role);
  const title = order.collection_code ?? order.order_number;
  return (
    // biome-ignore lint/a11y: the keyboard touches it by its buttons
    <article
      className={late ? 'order late' : 'order'}
      aria-label={`Order ${order.order_number}`}
      data-order={order.id}
      onClick={() => onTouch(order.id)}
    >
      <header className="order-head">
        <strong className="order-code">{title}</strong>
        {order.collection_code && <span className="order-number">{order.order_number}</span>}
        <span className="order-since">
          <span className="unseen">since the last change </span>
          <Timer since={changedAt(order)} />
        </span>
      </header>
      <div className="order-marks">
        {isNew && <Badge tone="info">new</Badge>}
        <Marks order={order} now={now} timeZone={timeZone} late={late} />
      </div>
      <Lines order={order} />
      <footer className="order-foot">
        {next && (
          <ActionButton className="primary" busy={isBusy} onClick={() => onStep(order, next)}>
            {next.label}
            <span className="unseen"> order {order.order_number}</span>
          </ActionButton>
        )}
        <button type="button" onClick={() => onOpen(order)} aria-haspopup="dialog">
          Details<span className="unseen"> of order {order.order_number}</span>
        </button>
      </footer>
    </article>
  );
}

function Marks({ order, now, timeZone, late }: Pick<Props, 'order' | 'now' | 'timeZone'> & { readonly late: boolean }) {
  const due = dueAt(order);
  const dueIn = isOpen(order) && order.fulfilment_status !== 'ready' ? dueText(due, now) : null;
  return (
    <>
      <Badge tone="quiet">{whenText(order, timeZone)}</Badge>
      {dueIn && <Badge tone={late ? 'bad' : 'quiet'}>{dueIn}</Badge>}
      {order.fulfilment_status === null && isOpen(order) && <Badge tone="warn">not accepted yet</Badge>}
      {columnOf(order) === 'returned' && order.status !== 'refunded' && <Badge tone="bad">{cancelledText(order.cancelled_by)}</Badge>}
      {order.uncollected && <Badge tone="warn">not collected</Badge>}
      {order.table_number && <Badge tone="info">table {order.table_number}</Badge>}
      {order.parent_order_id && <Badge tone="quiet">part of an order</Badge>}
      <Payment order={order} />
    </>
  );
}

const cancelledText = (by: Order['cancelled_by']): string =>
  by === 'customer' ? 'cancelled by the customer' : by === 'system' ? 'cancelled by the service' : 'cancelled';

function Payment({ order }: { readonly order: Order }) {
  const { tone, text } = paymentOf(order);
  return <Badge tone={tone}>{text}</Badge>;
}

function whenText({ collection_mode, order_type, requested_collection_at }: Order, timeZone: string | undefined): string {
  if (order_type === 'buy_now') return 'at once';
  if (collection_mode !== 'scheduled' || !requested_collection_at) return 'now';
  return timeText(requested_collection_at, timeZone);
}

function Lines({ order }: { readonly order: Order }) {
  return (
    <>
      <ul className="order-lines">
        {order.items.map(({ position, name, quantity, choices, note }) => (
          <li key={position}>
            <b>{quantity} ×</b> {name}
            {choices.length > 0 && <span className="line-more">{choices.map((choice) => choice.name).join(', ')}</span>}
            {note !== null && <span className="line-more line-note">“{note}”</span>}
          </li>
        ))}
        {order.items.length === 0 && <li>In its parts</li>}
      </ul>
      {order.customer_name && <p className="order-customer">{order.customer_name}</p>}
    </>
  );
}
