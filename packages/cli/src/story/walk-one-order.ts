import { randomUUID } from 'node:crypto';
import type { CornerClient, operations, Reply } from '@corner/client';
import { z } from 'zod';
import { callCorner } from './call-corner.ts';
import { httpCall } from './http-call.ts';
import { awaitMessages, type Expected, hearsOfStamps, lookAtInbox, messagesAbout } from './read-inbox.ts';
import type { Stage } from './stage.ts';
import { type Step, take } from './take-step.ts';

/** The deed the story ends with: the messages, where they can be seen. */
export const lastDeedOf = ({ messages }: Stage): string => (messages === null ? 'reversal' : 'messages');

/** Milliseconds an effect in another service may take before the story gives up on it. */
const effectMs = 10_000;

const Intent = z.object({ id: z.string(), status: z.string() });

/**
 * Walks one order to its end: placed, paid, confirmed, stamps earned, prepared, ready, collected, refunded, stamps taken
 * back. Where messages can be seen, the next step is not taken before the customer has heard of the last. Yields each step as
 * it happens, and ends after the first that is not what it should be.
 */
export async function* walkOneOrder(stage: Stage): AsyncGenerator<Step> {
  const { tokens, store, customerId, traceId, messages } = stage;
  const inbox = messages === null ? null : { ...stage, messages };
  const as =
    <T>(token: string, ask: (corner: CornerClient) => Promise<Reply<T>>) =>
    () =>
      callCorner(stage, token, ask);
  const state = as(tokens.merchant, (corner) =>
    corner.GET('/api/v1/loyalty/customer-state', { params: { query: { store_id: store.id, customer_id: customerId } } }),
  );

  const before = await take(traceId, 'before', state, (now) => ({ ok: now.loyalty_enabled, answer: stampsIn(now) }));
  yield before.step;
  if (!before.value) return;
  const earned = worth(before.value);

  const looked = inbox && (await lookAtInbox(inbox, 'inbox'));
  if (looked) yield looked.step;
  if (looked?.value === null) return;
  /** What the customer has heard since the story began; null where that cannot be seen. */
  const heard = async (deed: string, expected: readonly Expected[]) =>
    inbox && (await awaitMessages(inbox, deed, looked?.value ?? 0, expected, deed === lastDeedOf(stage)));

  const basket = {
    store_code: store.code,
    store_id: store.id,
    idempotency_key: randomUUID(),
    items: stage.items.map((item) => ({ ...item })),
    order_type: 'collect',
    collection_mode: 'now',
  } as const;
  const placed = await take(
    traceId,
    'place',
    as(tokens.customer, (corner) => corner.POST('/api/v1/orders', { body: basket })),
    (order) => ({
      ok: order.status === 'pending_payment' && order.payment_intent_id !== null && order.amount_pence === stage.totalPence,
      answer: `order ${order.order_number}, ${money(order.amount_pence)}, ${order.status}`,
    }),
  );
  yield placed.step;
  const order = placed.value;
  if (!order?.payment_intent_id) return;
  const paymentOf = { store_id: store.id, payment_intent_id: order.payment_intent_id };
  const { receipt, accepted, ready, refund, stampTaken } = messagesAbout(order.order_number);

  const paid = await take(
    traceId,
    'pay',
    () =>
      httpCall(
        traceId,
        {
          method: 'POST',
          url: `${stage.payments}/v1/payment_intents/${order.payment_intent_id}/confirm`,
          token: stage.paymentsKey,
          form: { payment_method: 'pm_card_visa', return_url: 'https://example.com/return' },
        },
        Intent,
      ),
    (intent) => ({ ok: intent.status === 'succeeded', answer: `payment ${intent.status}` }),
  );
  yield paid.step;
  if (!paid.value) return;

  const confirmed = await take(
    traceId,
    'confirm',
    as(tokens.customer, (corner) => corner.POST('/api/v1/orders/confirm', { body: paymentOf })),
    (answer) => ({
      ok: answer.status === 'paid' && answer.fulfilment_status === 'accepted' && answer.total_pence === stage.totalPence,
      answer: `${answer.status}, ${answer.fulfilment_status}, collection code ${answer.collection_code}`,
    }),
  );
  yield confirmed.step;
  if (!confirmed.value) return;
  const thanked = await heard('told', [receipt, accepted]);
  if (thanked) yield thanked.step;
  if (thanked?.value === null) return;

  const stamped = await take(traceId, 'stamps', state, (now) => ({ ok: worth(now) === earned + 1, answer: stampsIn(now) }), effectMs);
  yield stamped.step;
  if (!stamped.value) return;

  const of = { path: { orderId: order.order_id } };
  for (const status of ['preparing', 'ready', 'collected'] as const) {
    const moved = await take(
      traceId,
      status,
      as(tokens.staff, (corner) =>
        corner.PATCH('/api/v1/orders/{orderId}/fulfilment', { params: of, body: { store_id: store.id, to_status: status } }),
      ),
      (answer) => ({ ok: answer.order.fulfilment_status === status, answer: `order ${answer.order.fulfilment_status}` }),
    );
    yield moved.step;
    if (!moved.value) return;
    if (status !== 'ready') continue;
    const called = await heard('told', [accepted, ready]);
    if (called) yield called.step;
    if (called?.value === null) return;
  }

  const wish = { store_id: store.id, reason: 'The coffee was cold', refund_attempt_id: randomUUID() };
  const refunded = await take(
    traceId,
    'refund',
    as(tokens.staff, (corner) => corner.POST('/api/v1/orders/{orderId}/refund', { params: of, body: wish })),
    ({ refund }) => ({
      ok: refund.amount === stage.totalPence && refund.status === 'succeeded',
      answer: `refund ${refund.status}, ${money(refund.amount)}`,
    }),
  );
  yield refunded.step;
  if (!refunded.value) return;

  const reversed = await take(traceId, 'reversal', state, (now) => ({ ok: worth(now) === earned, answer: stampsIn(now) }), effectMs);
  yield reversed.step;
  if (!inbox || !reversed.value) return;

  const all = [receipt, accepted, ready, refund, ...((await hearsOfStamps(stage)) ? [stampTaken] : [])];
  const told = await heard('messages', all);
  if (told) yield told.step;
}

type State = operations['customerState']['responses'][200]['content']['application/json'];

/** Stamps and vouchers on one scale: a voucher is a goal's worth of stamps, so neither minting nor voiding one hides a step. */
const worth = ({ stamp_count, goal, active_vouchers }: State): number => stamp_count + goal * active_vouchers.length;

const stampsIn = ({ stamp_count, goal, active_vouchers }: State): string =>
  `${stamp_count} of ${goal} stamps, ${active_vouchers.length} ${active_vouchers.length === 1 ? 'voucher' : 'vouchers'}`;

const money = (pence: number): string => `£${(pence / 100).toFixed(2)}`;
