import type { CustomerOrder } from '@corner/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { afterConfirmed, finishPaid, keepAfterOrder, nothingEarned } from '../../order/after-order.ts';
import { finishAttempt, placeAttempt, readAttempt, takePlaced } from '../../order/attempts.ts';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import { isPayable, type PayableOrder, type PaymentState, type Payments, readPayments } from './provider.ts';
import { sandboxProvider } from './sandbox.ts';
import { loadStripe, readAtStripe } from './stripe.ts';

/**
 * How far a payment is.
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

interface Placed {
  readonly placed: PayableOrder;
  /** Null where nothing can be paid. */
  readonly payments: Payments | null;
}

export interface Payment {
  readonly stage: Stage;
  /** The order, once it is placed and read. */
  readonly order: CustomerOrder | undefined;
  readonly busy: boolean;
  /** Places the order, or reads it again, and goes on from its state. */
  again(): void;
  /** Puts away the question of the bank; the payment still waits. */
  close(): void;
  /** Takes one step at the provider, unless the payment was made meanwhile, such as in another tab. A step that returns null changes nothing. */
  pay(step: (placed: PayableOrder) => Promise<PaymentState | null>): Promise<void>;
}

/**
 * The payment of an attempt. An order is placed once and has one intent, which the provider charges once: so whatever is pressed twice, lost or
 * opened in two tabs, each step begins by reading the state again and goes on from there.
 */
export function usePayment(attemptId: string): Payment {
  const client = useClient();
  const [, navigate] = useLocation();
  const [stage, setStage] = useState<Stage>({ at: 'placing' });
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const orderId = readAttempt(attemptId)?.order_id ?? undefined;
  const { data } = useRead('/api/v1/orders/{orderId}/mine', orderId === undefined ? null : { params: { path: { orderId } } });
  const order = data?.order;

  /** Runs one thing at a time: a second press does nothing. */
  const alone = async (run: () => Promise<void>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await run();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const arrive = (id: string): void => {
    const attempt = readAttempt(attemptId);
    if (attempt) finishPaid(attempt);
    navigate(`/orders/${id}`, { replace: true });
  };
  const end = (): void => {
    finishAttempt(attemptId);
    setStage({ at: 'ended' });
  };

  const confirm = async (at: Placed): Promise<void> => {
    setStage({ at: 'paid', ...at });
    const { payment_intent_id, order_id } = at.placed;
    try {
      const body = { store_id: storeOf(attemptId), payment_intent_id };
      const { data: confirmed } = await client.POST('/api/v1/orders/confirm', { body });
      keepAfterOrder(afterConfirmed(confirmed));
      arrive(order_id);
    } catch (error) {
      // The provider reports the payment to the shop as well: the live order shows it then.
      setStage({ at: 'paid', ...at, error });
    }
  };
  const goOn = async (at: Placed, state: PaymentState): Promise<void> => {
    if (state.status === 'succeeded') await confirm(at);
    else if (state.status === 'canceled') end();
    else if (state.status === 'unpaid') setStage({ at: 'paying', ...at, declined: state.declined });
    else setStage({ at: state.status === 'asks' ? 'asked' : 'processing', ...at });
  };
  const begin = async (): Promise<void> => {
    const attempt = readAttempt(attemptId);
    if (!attempt) return setStage({ at: 'unknown' });
    if (attempt.state === 'refused') return setStage({ at: 'refused', error: undefined });
    setStage({ at: 'placing' });
    try {
      const placed = takePlaced(attemptId) ?? (await placeAttempt(client, attemptId));
      if (isPayable(placed)) {
        const payments = await readPayments();
        const at = { placed, payments };
        await goOn(at, payments === null ? { status: 'unpaid', declined: null } : await readState(payments, placed));
      } else if (hasEnded(placed)) end();
      else {
        keepAfterOrder({ order_id: placed.order_id, ...nothingEarned });
        arrive(placed.order_id);
      }
    } catch (error) {
      setStage({ at: readAttempt(attemptId)?.state === 'refused' ? 'refused' : 'failed', error });
    }
  };

  useEffect(() => {
    void alone(begin);
    // A page that the browser kept for its back button shows an old state.
    const shown = ({ persisted }: PageTransitionEvent) => void (persisted && alone(begin));
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
  useEffect(() => {
    if (busy || !order || order.status === 'pending_payment' || order.status === 'payment_failed') return;
    if (hasEnded(order) && stage.at !== 'paid' && stage.at !== 'processing') end();
    // It was paid in another tab, or the reply of the provider was lost: confirmOrder says what it earned.
    else if ('placed' in stage && stage.at !== 'paid') void alone(() => confirm(stage));
    else if (stage.at !== 'ended') arrive(order.id);
  }, [order?.status, stage, busy]);

  const pay: Payment['pay'] = (step) =>
    alone(async () => {
      if (!('placed' in stage) || stage.payments === null) return;
      const { placed, payments } = stage;
      const at = { placed, payments };
      try {
        const before = await readState(payments, placed);
        const isOpen = before.status === 'unpaid' || before.status === 'asks';
        const after = isOpen ? ((await step(placed)) ?? (stage.at === 'processing' ? before : null)) : before;
        if (after) await goOn(at, after);
      } catch (unsure) {
        setStage({ at: 'paying', ...at, declined: null, unsure });
      }
    });
  useEffect(() => {
    if (stage.at !== 'processing') return;
    const timer = setInterval(() => void pay(async () => null), lookAgainMs);
    return () => clearInterval(timer);
  }, [stage]);

  return {
    stage,
    order,
    busy,
    again: () => void alone(begin),
    close() {
      if (stage.at === 'asked') setStage({ ...stage, at: 'paying', declined: 'authentication_closed' });
    },
    pay,
  };
}

/** A bank that has not decided is asked again after this time. */
const lookAgainMs = 5_000;

const storeOf = (attemptId: string): string => readAttempt(attemptId)?.body.store_id ?? '';

const hasEnded = ({ status }: { readonly status: string }): boolean => status === 'expired' || status === 'cancelled';

const readState = async (payments: Payments, placed: PayableOrder): Promise<PaymentState> =>
  payments.kind === 'sandbox'
    ? await sandboxProvider(payments).read(placed)
    : await readAtStripe(await loadStripe(payments.publishable_key), placed);
