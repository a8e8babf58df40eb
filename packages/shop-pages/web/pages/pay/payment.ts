import type { Step } from '@corner/page-kit/logic/machine';
import type { AfterOrder } from '../../order/after-order.ts';
import type { PlacedOrder } from '../../order/attempts.ts';
import { isPayable, type PayableOrder, type PaymentState, type Payments } from './provider.ts';

/**
 * The progress of a payment.
 *
 * - `placing`: the order is being placed, or read again.
 * - `unknown`: this browser has not begun such an order.
 * - `refused`: there is no order. `failed`: whether there is one is not known.
 * - `paying`: the customer may pay. `unsure` is why the last attempt has no result.
 * - `asked`: the bank asks the customer.
 * - `processing`: the bank has not decided. `paid`: the shop has not confirmed it yet.
 * - `ended`: the order was not paid in time, or was cancelled.
 */
export type Stage =
  | { readonly at: 'placing' | 'unknown' | 'ended' }
  | { readonly at: 'refused' | 'failed'; readonly error: unknown }
  | ({ readonly at: 'paying'; readonly declined: string | null; readonly unsure?: unknown } & Placed)
  | ({ readonly at: 'asked' } & Placed)
  | ({ readonly at: 'processing' } & Placed)
  | ({ readonly at: 'paid'; readonly error?: unknown } & Placed);

export interface Placed {
  readonly placed: PayableOrder;
  readonly payments: Payments | null;
}

export type Take = (placed: PayableOrder) => Promise<PaymentState | null>;

/**
 * The payment of an attempt. An order is placed once and has one intent, which the provider charges once. Whatever is pressed twice, lost
 * or opened in two tabs, each step first reads the state again and continues from there. `running` is the only effect under way: until it
 * ends, a press does nothing. `wanted` is the customer's step, which waits for that read; `order` is the order as last read.
 */
export interface PaymentMachine {
  readonly stage: Stage;
  readonly running: 'place' | 'open' | 'look' | 'take' | 'confirm' | 'leave' | null;
  readonly wanted: Take | null;
  readonly order: { readonly id: string; readonly status: string } | null;
}

export const newPayment: PaymentMachine = { stage: { at: 'placing' }, running: null, wanted: null, order: null };

/**
 * `begin`: the page is opened, shown again, or tries again; `attempt` is its state in this browser. `pay` and `close` are the customer's: a
 * press in the provider’s form, and putting away the bank's question, after which the payment still waits. `unsure`: the provider did not
 * reply to `look` or `take`. `order`: the order was read.
 */
export type PaymentEvent =
  | { readonly type: 'begin'; readonly attempt: 'none' | 'refused' | 'begun' }
  | { readonly type: 'placed'; readonly placed: PlacedOrder }
  | { readonly type: 'not placed'; readonly error: unknown; readonly isRefused: boolean }
  | ({ readonly type: 'opened'; readonly state: PaymentState } & Placed)
  | { readonly type: 'pay'; readonly take: Take }
  | { readonly type: 'look again' }
  | { readonly type: 'close' }
  | { readonly type: 'looked'; readonly state: PaymentState }
  | { readonly type: 'taken'; readonly state: PaymentState | null }
  | { readonly type: 'unsure'; readonly error: unknown }
  | { readonly type: 'confirmed'; readonly earned: AfterOrder }
  | { readonly type: 'not confirmed'; readonly error: unknown }
  | { readonly type: 'order'; readonly id: string; readonly status: string };

/**
 * `open` reads how payments are made, and the state of this one. `leave`: the order is paid or free, and its page is shown next with the
 * earned stamps; null: another tab may know them. `finish`: nothing is left to pay, and the next order is a new one.
 */
export type PaymentEffect =
  | { readonly do: 'place' }
  | { readonly do: 'open'; readonly placed: PayableOrder }
  | ({ readonly do: 'look' } & Placed)
  | { readonly do: 'take'; readonly placed: PayableOrder; readonly take: Take }
  | { readonly do: 'confirm'; readonly placed: PayableOrder }
  | { readonly do: 'leave'; readonly orderId: string; readonly earned: AfterOrder | 'not known' | null }
  | { readonly do: 'finish' };

type Stepped = Step<PaymentMachine, PaymentEffect>;

export function stepPayment(now: PaymentMachine, event: PaymentEvent): Stepped {
  const [after, effects] = isOutcome(event) ? takeOutcome(now, event) : decide(now, event);
  if (after === now || after.running !== null) return [after, effects];
  const [followed, more] = followOrder(after);
  return [followed, [...effects, ...more]];
}

function decide(now: PaymentMachine, event: Exclude<PaymentEvent, Outcome>): Stepped {
  if (event.type === 'order') return [{ ...now, order: { id: event.id, status: event.status } }, []];
  const { stage, running } = now;
  if (event.type === 'begin') {
    if (running !== null && running !== 'leave') return [now, []];
    if (event.attempt === 'none') return rest(now, { at: 'unknown' });
    if (event.attempt === 'refused') return rest(now, { at: 'refused', error: undefined });
    return [{ ...now, stage: { at: 'placing' }, running: 'place' }, [{ do: 'place' }]];
  }
  if (running !== null || !('placed' in stage) || stage.payments === null) return [now, []];
  const { placed, payments } = stage;
  switch (event.type) {
    case 'pay':
      if (stage.at !== 'paying' && stage.at !== 'asked') return [now, []];
      return [{ ...now, running: 'look', wanted: event.take }, [{ do: 'look', placed, payments }]];
    case 'look again':
      return stage.at === 'processing' ? [{ ...now, running: 'look' }, [{ do: 'look', placed, payments }]] : [now, []];
    case 'close':
      return stage.at === 'asked' ? rest(now, { at: 'paying', placed, payments, declined: 'authentication_closed' }) : [now, []];
    default:
      return event satisfies never;
  }
}

type Outcome = Extract<PaymentEvent, { readonly type: keyof typeof outcomes }>;

const outcomes = {
  placed: ['place'],
  'not placed': ['place', 'open'],
  opened: ['open'],
  looked: ['look'],
  taken: ['take'],
  unsure: ['look', 'take'],
  confirmed: ['confirm'],
  'not confirmed': ['confirm'],
} as const satisfies Readonly<Record<string, readonly PaymentMachine['running'][]>>;

const isOutcome = (event: PaymentEvent): event is Outcome => Object.hasOwn(outcomes, event.type);

function takeOutcome(now: PaymentMachine, event: Outcome): Stepped {
  const { stage, wanted } = now;
  if (!(outcomes[event.type] as readonly unknown[]).includes(now.running)) return [now, []];
  if (event.type === 'placed') return goOnFrom(now, event.placed);
  if (event.type === 'not placed') return rest(now, { at: event.isRefused ? 'refused' : 'failed', error: event.error });
  if (event.type === 'opened') return goOn(now, { placed: event.placed, payments: event.payments }, event.state);
  if (!('placed' in stage)) return [now, []];
  const at = { placed: stage.placed, payments: stage.payments };
  switch (event.type) {
    case 'looked': {
      const isOpen = event.state.status === 'unpaid' || event.state.status === 'asks';
      if (wanted === null || !isOpen) return goOn(now, at, event.state);
      return [{ ...now, running: 'take', wanted: null }, [{ do: 'take', placed: at.placed, take: wanted }]];
    }
    case 'taken':
      return event.state === null ? rest(now, stage) : goOn(now, at, event.state);
    case 'unsure':
      return rest(now, { at: 'paying', ...at, declined: null, unsure: event.error });
    case 'confirmed':
      return leave(now, at.placed.order_id, event.earned);
    case 'not confirmed':
      // The provider reports the payment to the shop as well: the live order then shows it.
      return rest(now, { at: 'paid', ...at, error: event.error });
    default:
      return event satisfies never;
  }
}

function goOnFrom(now: PaymentMachine, placed: PlacedOrder): Stepped {
  if (isPayable(placed)) return [{ ...now, running: 'open' }, [{ do: 'open', placed }]];
  return hasEnded(placed) ? end(now) : leave(now, placed.order_id, 'not known');
}

function goOn(now: PaymentMachine, at: Placed, state: PaymentState): Stepped {
  if (state.status === 'succeeded') return confirm(now, at);
  if (state.status === 'canceled') return end(now);
  if (state.status === 'unpaid') return rest(now, { at: 'paying', ...at, declined: state.declined });
  return rest(now, { at: state.status === 'asks' ? 'asked' : 'processing', ...at });
}

/** While nothing runs: the order may have been paid in another tab, or have ended. */
function followOrder(now: PaymentMachine): Stepped {
  const { order, stage } = now;
  if (order === null || order.status === 'pending_payment' || order.status === 'payment_failed' || stage.at === 'ended') return [now, []];
  if (hasEnded(order) && stage.at !== 'paid' && stage.at !== 'processing') return end(now);
  // The order was paid in another tab, or the reply of the provider was lost: confirmOrder returns its stamps.
  if ('placed' in stage && stage.at !== 'paid') return confirm(now, { placed: stage.placed, payments: stage.payments });
  return leave(now, order.id, null);
}

const rest = (now: PaymentMachine, stage: Stage): Stepped => [{ ...now, stage, running: null, wanted: null }, []];

const confirm = (now: PaymentMachine, at: Placed): Stepped => [
  { ...now, stage: { at: 'paid', ...at }, running: 'confirm', wanted: null },
  [{ do: 'confirm', placed: at.placed }],
];

const leave = (now: PaymentMachine, orderId: string, earned: AfterOrder | 'not known' | null): Stepped => [
  { ...now, running: 'leave' },
  [{ do: 'leave', orderId, earned }],
];

const end = (now: PaymentMachine): Stepped => [{ ...now, stage: { at: 'ended' }, running: null, wanted: null }, [{ do: 'finish' }]];

const hasEnded = ({ status }: { readonly status: string }): boolean => status === 'expired' || status === 'cancelled';
