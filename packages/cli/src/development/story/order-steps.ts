import { randomUUID } from 'node:crypto';
import type { CornerClient, operations, Reply } from '@corner/client';
import { formatMoney } from '@corner/contracts';
import { z } from 'zod';
import { callCorner } from './call-corner.ts';
import { httpCall } from './http-call.ts';
import type { StorySetting } from './prepare-story.ts';
import { type StepResult, takeStep } from './take-step.ts';

type ResponseOf<Name extends keyof operations> = operations[Name]['responses'][200]['content']['application/json'];
export type PlacedOrder = ResponseOf<'createOrder'>;
export type LoyaltyState = ResponseOf<'customerState'>;

const effectTimeoutMs = 10_000;

export const readLoyaltyState = (setting: StorySetting, name: string): Promise<StepResult<LoyaltyState>> =>
  takeStep({ traceId: setting.traceId, name }, customerState(setting), (state) => ({
    ok: state.loyalty_enabled,
    result: describeState(state),
  }));

export const awaitStamps = (setting: StorySetting, name: string, stamps: number): Promise<StepResult<LoyaltyState>> =>
  takeStep({ traceId: setting.traceId, name, timeoutMs: effectTimeoutMs }, customerState(setting), (state) => ({
    ok: stampsWorth(state) === stamps,
    result: describeState(state),
  }));

export const stampsWorth = ({ stamp_count, goal, active_vouchers }: LoyaltyState): number => stamp_count + goal * active_vouchers.length;

export function placeOrder(setting: StorySetting): Promise<StepResult<PlacedOrder>> {
  const { store, items, tokens, totalPence, traceId } = setting;
  const body = {
    store_code: store.code,
    store_id: store.id,
    idempotency_key: randomUUID(),
    items: items.map((item) => ({ ...item })),
    order_type: 'collect',
    collection_mode: 'now',
  } as const;
  return takeStep(
    { traceId, name: 'place' },
    as(setting, tokens.customer, (corner) => corner.POST('/api/v1/orders', { body })),
    (order) => ({
      ok: order.status === 'pending_payment' && order.payment_intent_id !== null && order.amount_pence === totalPence,
      result: `order ${order.order_number}, ${formatMoney(order.amount_pence, order.currency, 'en-GB')}, ${order.status}`,
    }),
  );
}

const PaymentIntent = z.object({ id: z.string(), status: z.string() });

export const pay = (setting: StorySetting, paymentIntentId: string): Promise<StepResult<z.output<typeof PaymentIntent>>> =>
  takeStep(
    { traceId: setting.traceId, name: 'pay' },
    () =>
      httpCall(
        setting.traceId,
        {
          method: 'POST',
          url: `${setting.payments}/v1/payment_intents/${paymentIntentId}/confirm`,
          token: setting.paymentsKey,
          form: { payment_method: 'pm_card_visa', return_url: 'https://example.com/return' },
        },
        PaymentIntent,
      ),
    ({ status }) => ({ ok: status === 'succeeded', result: `payment ${status}` }),
  );

export function confirmOrder(setting: StorySetting, payment_intent_id: string): Promise<StepResult<ResponseOf<'confirmOrder'>>> {
  const { store, tokens, totalPence, traceId } = setting;
  return takeStep(
    { traceId, name: 'confirm' },
    as(setting, tokens.customer, (corner) => corner.POST('/api/v1/orders/confirm', { body: { store_id: store.id, payment_intent_id } })),
    (order) => ({
      ok: order.status === 'paid' && order.fulfilment_status === 'accepted' && order.total_pence === totalPence,
      result: `${order.status}, ${order.fulfilment_status}, collection code ${order.collection_code}`,
    }),
  );
}

export function advanceFulfilment(
  setting: StorySetting,
  orderId: string,
  to_status: 'preparing' | 'ready' | 'collected',
): Promise<StepResult<ResponseOf<'advanceFulfilment'>>> {
  const { store, tokens, traceId } = setting;
  return takeStep(
    { traceId, name: to_status },
    as(setting, tokens.staff, (corner) =>
      corner.PATCH('/api/v1/orders/{orderId}/fulfilment', { params: { path: { orderId } }, body: { store_id: store.id, to_status } }),
    ),
    ({ order }) => ({ ok: order.fulfilment_status === to_status, result: `order ${order.fulfilment_status}` }),
  );
}

export function refundOrder(setting: StorySetting, orderId: string): Promise<StepResult<ResponseOf<'refundOrder'>>> {
  const { store, tokens, totalPence, currency, traceId } = setting;
  const body = { store_id: store.id, reason: 'The coffee was cold', refund_attempt_id: randomUUID() };
  return takeStep(
    { traceId, name: 'refund' },
    as(setting, tokens.staff, (corner) => corner.POST('/api/v1/orders/{orderId}/refund', { params: { path: { orderId } }, body })),
    ({ refund }) => ({
      ok: refund.amount === totalPence && refund.status === 'succeeded',
      result: `refund ${refund.status}, ${formatMoney(refund.amount, currency, 'en-GB')}`,
    }),
  );
}

const as =
  <T>(setting: StorySetting, token: string, makeCall: (corner: CornerClient) => Promise<Reply<T>>) =>
  () =>
    callCorner(setting, token, makeCall);

const customerState = (setting: StorySetting) => {
  const query = { store_id: setting.store.id, customer_id: setting.customerId };
  return as(setting, setting.tokens.merchant, (corner) => corner.GET('/api/v1/loyalty/customer-state', { params: { query } }));
};

const describeState = ({ stamp_count, goal, active_vouchers }: LoyaltyState): string =>
  `${stamp_count} of ${goal} stamps, ${active_vouchers.length} ${active_vouchers.length === 1 ? 'voucher' : 'vouchers'}`;
