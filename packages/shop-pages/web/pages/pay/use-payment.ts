import type { CustomerOrder } from '@corner/client';
import { runMachine } from '@corner/page-kit/logic/machine';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { afterConfirmed, finishPaid, keepAfterOrder, nothingEarned } from '../../order/after-order.ts';
import { finishAttempt, placeAttempt, readAttempt, takePlaced } from '../../order/attempts.ts';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import {
  newPayment,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentMachine,
  type Placed,
  type Stage,
  stepPayment,
  type Take,
} from './payment.ts';
import { type PaymentState, readPayments } from './provider.ts';
import { sandboxProvider } from './sandbox.ts';
import { loadStripe, readAtStripe } from './stripe.ts';

export interface Payment {
  readonly stage: Stage;
  readonly order: CustomerOrder | undefined;
  readonly busy: boolean;
  again(): void;
  close(): void;
  pay(take: Take): void;
}

const lookAgainMs = 5_000;

export function usePayment(attemptId: string): Payment {
  const [{ stage, running }, show] = useState<PaymentMachine>(newPayment);
  const carryOut = useEffects(attemptId);
  const [{ send }] = useState(() => runMachine(newPayment, stepPayment, { carryOut, changed: show }));
  const orderId = readAttempt(attemptId)?.order_id ?? undefined;
  const { data } = useRead('/api/v1/orders/{orderId}/mine', orderId === undefined ? null : { params: { path: { orderId } } });
  const order = data?.order;
  const begin = () => send({ type: 'begin', attempt: attemptState(attemptId) });
  useEffect(() => {
    begin();
    // A page that the browser kept for its back button shows an old state.
    const shown = ({ persisted }: PageTransitionEvent) => persisted && begin();
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
  useEffect(() => {
    if (order) send({ type: 'order', id: order.id, status: order.status });
  }, [order?.status]);
  useEffect(() => {
    if (stage.at !== 'processing') return;
    const timer = setInterval(() => send({ type: 'look again' }), lookAgainMs);
    return () => clearInterval(timer);
  }, [stage.at]);
  return {
    stage,
    order,
    again: begin,
    busy: running !== null,
    close: () => send({ type: 'close' }),
    pay: (take) => send({ type: 'pay', take }),
  };
}

const attemptState = (attemptId: string): 'none' | 'refused' | 'begun' => {
  const attempt = readAttempt(attemptId);
  return attempt === undefined ? 'none' : attempt.state === 'refused' ? 'refused' : 'begun';
};

function useEffects(attemptId: string): (effect: PaymentEffect, send: (event: PaymentEvent) => void) => void {
  const client = useClient();
  const [, navigate] = useLocation();
  const failed = (effect: PaymentEffect, error: unknown): PaymentEvent => {
    if (effect.do === 'place' || effect.do === 'open')
      return { type: 'not placed', error, isRefused: attemptState(attemptId) === 'refused' };
    return effect.do === 'confirm' ? { type: 'not confirmed', error } : { type: 'unsure', error };
  };
  const outcomeOf = async (effect: PaymentEffect): Promise<PaymentEvent | undefined> => {
    const attempt = readAttempt(attemptId);
    switch (effect.do) {
      case 'place':
        return { type: 'placed', placed: takePlaced(attemptId) ?? (await placeAttempt(client, attemptId)) };
      case 'open': {
        const at = { placed: effect.placed, payments: await readPayments() };
        return { type: 'opened', ...at, state: await readState(at) };
      }
      case 'look':
        return { type: 'looked', state: await readState(effect) };
      case 'take':
        return { type: 'taken', state: await effect.take(effect.placed) };
      case 'confirm': {
        const body = { store_id: attempt?.body.store_id ?? '', payment_intent_id: effect.placed.payment_intent_id };
        return { type: 'confirmed', earned: afterConfirmed((await client.POST('/api/v1/orders/confirm', { body })).data) };
      }
      case 'leave':
        if (effect.earned !== null)
          keepAfterOrder(effect.earned === 'not known' ? { order_id: effect.orderId, ...nothingEarned } : effect.earned);
        if (attempt) finishPaid(attempt);
        navigate(`/orders/${effect.orderId}`, { replace: true });
        return undefined;
      case 'finish':
        finishAttempt(attemptId);
        return undefined;
      default:
        return effect satisfies never;
    }
  };
  return (effect, send) =>
    void outcomeOf(effect)
      .catch((error: unknown) => failed(effect, error))
      .then((event) => event && send(event));
}

const readState = async ({ placed, payments }: Placed): Promise<PaymentState> => {
  if (payments === null) return { status: 'unpaid', declined: null };
  return payments.kind === 'sandbox'
    ? await sandboxProvider(payments).read(placed)
    : await readAtStripe(await loadStripe(payments.publishable_key), placed);
};
