import { randomUUID } from 'node:crypto';
import { readAccounts } from '../../accounts/jobs.ts';
import { moveStoreShares } from '../../disputes/jobs.ts';
import { processProviderEvents, readProviderEvents } from '../../events/jobs.ts';
import { expireUnpaidOrders, reconcilePayments } from '../../payment/jobs.ts';
import { type ApiResponse, basketOf, customer, pay, worker } from '../callers.ts';
import type { Loyalty } from '../loyalty.ts';
import { menu, type OpenStore, type Running } from '../running.ts';
import { setStatus, slotIn } from '../whole-store.ts';
import type { KnownOrder } from './known-order.ts';
import { type ProviderSteps, providerSteps } from './provider-steps.ts';
import type { Step, StepOf } from './steps.ts';
import { issueVouchers, type Vouchers } from './vouchers.ts';

/** A store with customers and staff, and what its responses promised them. */
export interface Shop {
  readonly store: OpenStore;
  readonly orders: readonly KnownOrder[];
  /** Responses that no caller should ever get. */
  readonly wrong: readonly string[];
  readonly vouchers: Vouchers;
  take(step: Step): Promise<void>;
  /**
   * Ends the day: no webhook arrives any more, no call fails, and the jobs run for some hours. Then every customer can still order and
   * pay, and a store whose account is restricted refuses orders until the restriction ends.
   */
  settle(): Promise<void>;
}

const cakes = { id: 'cake', name: 'Cake', price_pence: 400, stock: 4, prep_minutes: 1 };

/** Opens a store with few places, few cakes and a promo code for three uses, so that callers compete. */
export async function openShop(running: Running, loyalty: Loyalty): Promise<Shop> {
  const slots = [slotIn(running, 600, 2), slotIn(running, 660, 1), slotIn(running, 720, null)];
  const promo = { id: randomUUID(), code: 'THREE', kind: 'percent' as const, value: 15, max_uses: 3 };
  const store = await running.openStore({}, [...menu, cakes], slots, [promo]);
  const customers = Array.from({ length: 3 }, () => customer(running));
  const staff = worker(running, store, 'merchant');
  const { payments, service, clock } = running;
  const vouchers = issueVouchers(running, loyalty, store.id);
  const orders: KnownOrder[] = [];
  const wrong: string[] = [];
  const by = (customerIndex: number) => customers[customerIndex % customers.length] as (typeof customers)[number];

  /** Records a wrong response: a 5xx other than for an outside failure, or an error without a code. */
  const checked = (step: Step, response: ApiResponse): ApiResponse => {
    // The service should never send the provider a refund that it declines, unless something happened there that it cannot know yet.
    const mayBeDeclined = provider.interfered() || response.body.error?.code !== 'REFUND_REJECTED';
    const fine = response.status < 500 || ([502, 503].includes(response.status) && mayBeDeclined);
    if (!fine || (response.status >= 400 && !response.body.error?.code))
      wrong.push(`${JSON.stringify(step)}: ${response.status} ${JSON.stringify(response.body)}`);
    return response;
  };

  /** Runs a job twice at once, like two replicas would if the job's lock were lost. */
  const twice = async (work: (context: typeof service.context) => Promise<void>) =>
    void (await Promise.all([work(service.context), work(service.context)]));

  const together = async (callers: number, action: (nth: number) => Promise<void>) =>
    void (await Promise.all(Array.from({ length: callers }, (_, nth) => action(nth))));

  const known = (n: number): KnownOrder | undefined => (orders.length === 0 ? undefined : orders.at(-1 - (n % orders.length)));
  const provider = providerSteps(running, store, known);
  const steps: { readonly [K in Exclude<Step['do'], keyof ProviderSteps>]: (step: StepOf<K>) => Promise<void> } = {
    async create(step) {
      const items = [{ menu_item_id: 'cake', quantity: 1 }];
      const slot_id = slots[step.slot]?.id;
      const baskets = {
        now: { items: [...items, { menu_item_id: 'croissant', quantity: 1 }] },
        collect: { items, order_type: 'collect' },
        slot: { items: [{ menu_item_id: 'flat-white', quantity: 2 }], slot_id },
        mixed: {
          items: [],
          fulfilment_groups: [
            { role: 'now', items },
            { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }], slot_id, collection_mode: 'scheduled' },
            { role: 'collect', items: [{ menu_item_id: 'croissant', quantity: 3 }] },
          ],
        },
        free: { items: [{ menu_item_id: 'sample', quantity: 1 }], order_type: 'collect' },
      };
      const promo_code = step.promo && step.basket !== 'free' ? 'three' : null;
      const voucher_id = step.voucher === null ? null : vouchers.ids[step.voucher];
      const request = basketOf(store, { idempotency_key: randomUUID(), ...baskets[step.basket], promo_code, voucher_id });
      await together(step.callers, () => place(step, request));
    },
    async createAgain(step) {
      const order = known(step.order);
      if (!order?.request) return;
      const { status, body } = checked(step, await by(order.customerIndex).call('POST', '/api/v1/orders', order.request));
      if (status === 200 && body.order_id !== order.id) wrong.push(`one key placed two orders: ${order.id} and ${body.order_id}`);
    },
    async pay(step) {
      const order = known(step.order);
      if (order?.intentId) await pay(running, order.intentId, step.card).catch(() => {});
    },
    async confirm(step) {
      const order = known(step.order);
      if (!order?.intentId) return;
      await together(step.callers, async () => {
        if (checked(step, await confirmUnderKey(order)).status === 200) order.paid = true;
      });
    },
    async webhooks({ reversed }) {
      await payments.controls.flush(reversed ? 'reversed' : 'as_made');
      await twice(processProviderEvents);
    },
    async refund(step) {
      const order = known(step.order);
      if (!order) return;
      await together(step.callers, async (nth) => {
        const attempt = `0000000${step.attempt + (step.apart ? nth : 0)}-0000-4000-8000-000000000000`;
        const { status, body } = checked(step, await staff.refund(order.id, { amount_pence: step.pence, refund_attempt_id: attempt }));
        const before = order.refunds.get(attempt);
        if (status !== 200) return;
        if (before && (before.amount !== body.refund.amount || before.asked !== step.pence))
          wrong.push(`one attempt made two refunds, or answered two requests: ${JSON.stringify([before, step, body.refund])}`);
        order.refunds.set(attempt, { ...body.refund, asked: step.pence });
      });
    },
    async advance(step) {
      const order = known(step.order);
      if (!order) return;
      await together(step.callers, async () => {
        if (step.to === 'ready') checked(step, await staff.advance(order.id, 'preparing'));
        if (checked(step, await staff.advance(order.id, step.to)).status !== 200) return;
        if (step.to === 'cancelled') order.ended = 'cancelled';
        if (step.to === 'collected') order.ended = 'fulfilled';
      });
    },
    async setStatus(step) {
      const order = known(step.order);
      if (!order) return;
      await together(step.callers, async () => {
        const { status } = checked(step, await setStatus(staff, store, order.id, step.to));
        if (status === 200 && step.to === 'cancelled') order.ended = 'cancelled';
      });
    },
    async collectEarlier(step) {
      const order = known(step.order);
      const slot = slots[step.slot];
      if (!order || !slot) return;
      const request = { store_id: store.id, order_id: order.id, slot_id: slot.id };
      await together(
        step.callers,
        async () => void checked(step, await by(order.customerIndex).call('POST', '/api/v1/orders/collect-earlier', request)),
      );
    },
    async expireOverdue() {
      clock.advance({ minutes: service.context.holdMinutes + 1 });
      await twice(expireUnpaidOrders);
    },
    async reconcile() {
      clock.advance({ seconds: 30 });
      await twice(reconcilePayments);
    },
    async cancelWhilePaying(step) {
      const order = known(step.order);
      if (!order?.intentId) return;
      const { id, intentId } = order;
      const cancel = () => (step.axis === 'status' ? setStatus(staff, store, id, 'cancelled') : staff.advance(id, 'cancelled'));
      const [, confirmed, cancelled] = await Promise.all([
        pay(running, intentId, step.card).catch(() => {}),
        by(order.customerIndex).confirm(store, intentId),
        cancel(),
      ]);
      if (checked(step, confirmed).status === 200) order.paid = true;
      if (checked(step, cancelled).status === 200) order.ended = 'cancelled';
    },
    async readProvider() {
      clock.advance({ minutes: 1 });
      await twice(readProviderEvents).catch(() => {});
      await twice(readAccounts).catch(() => {});
    },
  };

  /** Confirms an order, always under the same Idempotency-Key, as an app does that repeats until it is paid. */
  const confirmUnderKey = ({ id, customerIndex, intentId }: KnownOrder): Promise<ApiResponse> =>
    by(customerIndex).call(
      'POST',
      '/api/v1/orders/confirm',
      { store_id: store.id, payment_intent_id: intentId },
      { 'Idempotency-Key': `confirm-${id}` },
    );

  /** Records a paid order that its customer cannot confirm, because an earlier answer is repeated. */
  async function expectConfirmed(order: KnownOrder): Promise<void> {
    if (!order.intentId || (await staff.get(order.id)).body.order.status !== 'paid') return;
    const { status, body } = await confirmUnderKey(order);
    if (status !== 200) wrong.push(`the paid order ${order.id} cannot be confirmed: ${status} ${JSON.stringify(body)}`);
  }

  /** Merges what several callers know of one order. */
  const remember = (id: string, customerIndex: number, about: Partial<KnownOrder>) => {
    const before = orders.find((order) => order.id === id);
    if (before) before.paid ||= about.paid ?? false;
    else orders.push({ id, customerIndex, request: null, intentId: null, paid: false, ended: null, refunds: new Map(), ...about });
  };

  async function place(step: StepOf<'create'>, request: Record<string, unknown>): Promise<void> {
    const { customerIndex } = step;
    const { status, body } = checked(step, await by(customerIndex).call('POST', '/api/v1/orders', request));
    if (status !== 200) return;
    if (orders.some((order) => order.request === request && order.id !== body.order_id))
      wrong.push(`one key placed two orders: ${body.order_id}`);
    let paid = body.status === 'paid';
    if (step.paid && body.payment_intent_id) {
      await pay(running, body.payment_intent_id).catch(() => {});
      const confirmed = checked(step, await by(customerIndex).confirm(store, body.payment_intent_id));
      paid = confirmed.status === 200;
      for (const { order_id } of confirmed.body.children ?? []) remember(order_id, customerIndex, { paid });
    }
    remember(body.order_id, customerIndex, { request, intentId: body.payment_intent_id, paid });
  }

  /** Six hours, in which the jobs run three times. The provider still repeats each error that it keeps under a key. */
  async function quietTime(): Promise<void> {
    for (let n = 0; n < 3; n += 1) {
      clock.advance({ hours: 2 });
      await readProviderEvents(service.context);
      await readAccounts(service.context);
      await processProviderEvents(service.context);
      await moveStoreShares(service.context);
      await expireUnpaidOrders(service.context);
      await reconcilePayments(service.context);
    }
  }

  /** Records a customer who cannot order and pay, though the store is open and nothing fails. */
  async function expectOrder(customerIndex: number): Promise<void> {
    const request = basketOf(store, { items: [{ menu_item_id: 'croissant', quantity: 1 }] });
    const { status, body } = await by(customerIndex).call('POST', '/api/v1/orders', request);
    if (status !== 200) return void wrong.push(`customer ${customerIndex} cannot order: ${status} ${JSON.stringify(body)}`);
    remember(body.order_id, customerIndex, { request, intentId: body.payment_intent_id });
    const order = orders.find(({ id }) => id === body.order_id);
    if (!order) return;
    // An app may ask before the payment is there; that answer must not be repeated afterwards.
    await confirmUnderKey(order);
    await pay(running, body.payment_intent_id);
    const confirmed = await confirmUnderKey(order);
    if (confirmed.status !== 200) wrong.push(`customer ${customerIndex} cannot pay: ${JSON.stringify(confirmed.body)}`);
    order.paid = true;
  }

  return {
    store,
    orders,
    wrong,
    vouchers,
    async take(step) {
      const all: Readonly<Record<Step['do'], (step: never) => Promise<void>>> = { ...steps, ...provider.steps };
      await all[step.do](step as never);
    },
    async settle() {
      provider.endOfDay();
      await quietTime();
      if (provider.restricted()) {
        const { status, body } = await by(0).create(store);
        if (status !== 409 || body.error.code !== 'STORE_NOT_ACCEPTING_ORDERS')
          wrong.push(`a store with a restricted account took an order: ${status} ${JSON.stringify(body)}`);
        payments.controls.restoreAccount(store.account);
        await quietTime();
      }
      for (const order of orders) await expectConfirmed(order);
      await Promise.all(customers.map((_, index) => expectOrder(index)));
      await quietTime();
    },
  };
}
