import { money } from '../../../logic/format.ts';
import { manages } from '../../../logic/roles.ts';
import type { EarlierStatus, Order } from '../operations.ts';

export type Step =
  | {
      readonly kind: 'fulfilment';
      readonly to: 'accepted' | 'preparing' | 'ready' | 'collected';
      readonly via?: 'preparing';
      readonly label: string;
    }
  | { readonly kind: 'business'; readonly to: 'ready' | 'fulfilled'; readonly label: string };

export interface Actions {
  readonly next: Step | null;
  readonly canCancel: boolean;
  readonly canDelay: boolean;
  /** In minor units; null when nothing can be refunded. 0 takes the stamps of a free order back. */
  readonly refundable: number | null;
  /** Null for none. */
  readonly correctTo: EarlierStatus | null;
}

type Fields = Pick<
  Order,
  'order_type' | 'fulfilment_status' | 'status' | 'total_pence' | 'refunded_pence' | 'disputed' | 'parent_order_id' | 'paid_at'
>;

/** The service decides; this only hides buttons that would be refused. `role` is the caller's in the store. */
export function actionsOf(order: Fields, role: string): Actions {
  const { fulfilment_status, status, order_type } = order;
  const isPaid = status === 'paid' || status === 'partially_refunded' || status === 'refunded';
  const hasEnded = fulfilment_status === 'collected' || fulfilment_status === 'cancelled' || !isPaid;
  const isReturned = hasEnded || status === 'refunded';
  return {
    next: isReturned ? null : order_type === 'collect' ? nextOfCollect(fulfilment_status) : nextAtOnce(fulfilment_status),
    canCancel: !hasEnded,
    canDelay: !isReturned,
    refundable: refundableOf(order),
    correctTo: manages(role) && isPaid && status !== 'refunded' ? statusBefore(order_type === 'collect', fulfilment_status) : null,
  };
}

export function statusBefore(isCollect: boolean, status: string | null): EarlierStatus | null {
  switch (status) {
    case 'preparing':
      return isCollect ? 'accepted' : null;
    case 'ready':
      return isCollect ? 'preparing' : 'placed';
    case 'collected':
      return 'ready';
    default:
      return null;
  }
}

function nextOfCollect(status: string | null): Step | null {
  switch (status) {
    case null:
      return { kind: 'fulfilment', to: 'accepted', label: 'Accept' };
    case 'accepted':
      return { kind: 'fulfilment', to: 'preparing', label: 'Start' };
    case 'preparing':
      return { kind: 'fulfilment', to: 'ready', label: 'Ready' };
    case 'ready':
      return { kind: 'fulfilment', to: 'collected', label: 'Collected' };
    default:
      return null;
  }
}

/** An order to take at once is not prepared in steps: it is ready, then handed over. */
const nextAtOnce = (status: string | null): Step =>
  status === 'ready' ? { kind: 'business', to: 'fulfilled', label: 'Handed over' } : { kind: 'business', to: 'ready', label: 'Ready' };

function refundableOf({ status, disputed, total_pence, refunded_pence, paid_at }: Fields): number | null {
  if (disputed || paid_at === null || !['paid', 'partially_refunded', 'cancelled'].includes(status)) return null;
  const left = total_pence - refunded_pence;
  return left > 0 || (total_pence === 0 && status === 'paid') ? left : null;
}

export function paymentOf(order: Pick<Order, 'disputed' | 'status' | 'refunded_pence' | 'currency' | 'paid_at'>) {
  if (order.disputed) return { tone: 'bad', text: 'disputed' } as const;
  if (order.status === 'refunded') return { tone: 'warn', text: 'refunded' } as const;
  if (order.refunded_pence > 0) return { tone: 'warn', text: `${money(order.refunded_pence, order.currency)} refunded` } as const;
  return order.paid_at === null ? ({ tone: 'quiet', text: 'never paid' } as const) : ({ tone: 'good', text: 'paid' } as const);
}
