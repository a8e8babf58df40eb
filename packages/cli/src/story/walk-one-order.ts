import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Call } from './http-call.ts';
import { awaitMessages, type Expected, hearsOfStamps, lookAtInbox, messagesAbout } from './read-inbox.ts';
import type { Stage } from './stage.ts';
import { type Step, take } from './take-step.ts';

/** The deed the story ends with: the messages, where they can be seen. */
export const lastDeedOf = ({ messages }: Stage): string => (messages === null ? 'reversal' : 'messages');

/** Milliseconds an effect in another service may take before the story gives up on it. */
const effectMs = 10_000;

const State = z.object({ stamp_count: z.number(), goal: z.number(), active_vouchers: z.array(z.unknown()), loyalty_enabled: z.boolean() });
const Placed = z.object({
  order_id: z.string(),
  order_number: z.string(),
  status: z.string(),
  payment_intent_id: z.string(),
  amount_pence: z.number(),
});
const Intent = z.object({ id: z.string(), status: z.string() });
const Confirmed = z.object({ status: z.string(), fulfilment_status: z.string(), total_pence: z.number(), collection_code: z.string() });
const Fulfilled = z.object({ order: z.object({ fulfilment_status: z.string() }) });
const Refunded = z.object({ refund: z.object({ id: z.string(), status: z.string(), amount: z.number() }) });

/**
 * Walks one order to its end: placed, paid, confirmed, stamps earned, prepared, ready, collected, refunded, stamps taken
 * back. Where messages can be seen, the next step is not taken before the customer has heard of the last. Yields each step as it happens, and ends after the first that is not what it should be.
 */
export async function* walkOneOrder(stage: Stage): AsyncGenerator<Step> {
  const { gateway, tokens, store, customerId, traceId, messages } = stage;
  const inbox = messages === null ? null : { ...stage, messages };
  const api = (path: string) => `${gateway}/api/v1${path}`;
  const stateCall: Call = {
    method: 'GET',
    url: api(`/loyalty/customer-state?store_id=${store.id}&customer_id=${customerId}`),
    token: tokens.merchant,
  };

  const before = await take(traceId, 'before', stateCall, State, (state) => ({ ok: state.loyalty_enabled, answer: stampsIn(state) }));
  yield before.step;
  if (!before.value) return;
  const earned = worth(before.value);

  const looked = inbox && (await lookAtInbox(inbox, 'inbox'));
  if (looked) yield looked.step;
  if (looked?.value === null) return;
  /** What the customer has heard since the story began; null where that cannot be seen. */
  const heard = async (deed: string, expected: readonly Expected[]) =>
    inbox && (await awaitMessages(inbox, deed, looked?.value ?? 0, expected, deed === lastDeedOf(stage)));

  const placed = await take(
    traceId,
    'place',
    {
      method: 'POST',
      url: api('/orders'),
      token: tokens.customer,
      body: {
        store_code: store.code,
        store_id: store.id,
        idempotency_key: randomUUID(),
        items: stage.items,
        order_type: 'collect',
        collection_mode: 'now',
      },
    },
    Placed,
    (order) => ({
      ok: order.status === 'pending_payment' && order.amount_pence === stage.totalPence,
      answer: `order ${order.order_number}, ${money(order.amount_pence)}, ${order.status}`,
    }),
  );
  yield placed.step;
  if (!placed.value) return;
  const order = placed.value;
  const { receipt, accepted, ready, refund, stampTaken } = messagesAbout(order.order_number);

  const paid = await take(
    traceId,
    'pay',
    {
      method: 'POST',
      url: `${stage.payments}/v1/payment_intents/${order.payment_intent_id}/confirm`,
      token: stage.paymentsKey,
      form: { payment_method: 'pm_card_visa', return_url: 'https://example.com/return' },
    },
    Intent,
    (intent) => ({ ok: intent.status === 'succeeded', answer: `payment ${intent.status}` }),
  );
  yield paid.step;
  if (!paid.value) return;

  const confirmed = await take(
    traceId,
    'confirm',
    {
      method: 'POST',
      url: api('/orders/confirm'),
      token: tokens.customer,
      body: { store_id: store.id, payment_intent_id: order.payment_intent_id },
      idempotencyKey: randomUUID(),
    },
    Confirmed,
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

  const stamped = await take(
    traceId,
    'stamps',
    stateCall,
    State,
    (state) => ({ ok: worth(state) === earned + 1, answer: stampsIn(state) }),
    effectMs,
  );
  yield stamped.step;
  if (!stamped.value) return;

  for (const status of ['preparing', 'ready', 'collected']) {
    const moved = await take(
      traceId,
      status,
      {
        method: 'PATCH',
        url: api(`/orders/${order.order_id}/fulfilment`),
        token: tokens.staff,
        body: { store_id: store.id, to_status: status },
        idempotencyKey: randomUUID(),
      },
      Fulfilled,
      (answer) => ({ ok: answer.order.fulfilment_status === status, answer: `order ${answer.order.fulfilment_status}` }),
    );
    yield moved.step;
    if (!moved.value) return;
    if (status !== 'ready') continue;
    const called = await heard('told', [accepted, ready]);
    if (called) yield called.step;
    if (called?.value === null) return;
  }

  const refunded = await take(
    traceId,
    'refund',
    {
      method: 'POST',
      url: api(`/orders/${order.order_id}/refund`),
      token: tokens.staff,
      body: { store_id: store.id, reason: 'The coffee was cold', refund_attempt_id: randomUUID() },
      idempotencyKey: randomUUID(),
    },
    Refunded,
    ({ refund }) => ({
      ok: refund.amount === stage.totalPence && refund.status === 'succeeded',
      answer: `refund ${refund.status}, ${money(refund.amount)}`,
    }),
  );
  yield refunded.step;
  if (!refunded.value) return;

  const reversed = await take(
    traceId,
    'reversal',
    stateCall,
    State,
    (state) => ({ ok: worth(state) === earned, answer: stampsIn(state) }),
    effectMs,
  );
  yield reversed.step;
  if (!inbox || !reversed.value) return;

  const all = [receipt, accepted, ready, refund, ...((await hearsOfStamps(stage)) ? [stampTaken] : [])];
  const told = await heard('messages', all);
  if (told) yield told.step;
}

/** Stamps and vouchers on one scale: a voucher is a goal's worth of stamps, so neither minting nor voiding one hides a step. */
const worth = ({ stamp_count, goal, active_vouchers }: z.output<typeof State>): number => stamp_count + goal * active_vouchers.length;

const stampsIn = ({ stamp_count, goal, active_vouchers }: z.output<typeof State>): string =>
  `${stamp_count} of ${goal} stamps, ${active_vouchers.length} ${active_vouchers.length === 1 ? 'voucher' : 'vouchers'}`;

const money = (pence: number): string => `£${(pence / 100).toFixed(2)}`;
