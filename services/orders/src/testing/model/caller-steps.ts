import { randomUUID } from 'node:crypto';
import { erasedEvent } from '@corner/testkit';
import { readAccounts } from '../../accounts/sagas.ts';
import { expireUnpaidOrders, reconcilePayments } from '../../confirmation/jobs.ts';
import { processProviderEvents, readProviderEvents } from '../../events/jobs.ts';
import { endOverdueOrders } from '../../fulfilment/jobs.ts';
import { pay } from '../callers.ts';
import { customerNamedZed } from '../customers.ts';
import { setStatus } from '../whole-store.ts';
import { type ProviderStep, providerSteps } from './provider-steps.ts';
import type { Shop } from './shop.ts';
import type { Step, StepOf } from './steps.ts';

export async function takeStep(shop: Shop, step: Step): Promise<void> {
  const all: Readonly<Record<Step['do'], (shop: Shop, step: never) => Promise<void>>> = { ...callerSteps, ...providerSteps };
  await all[step.do](shop, step as never);
}

const together = async (callers: number, action: (nth: number) => Promise<void>): Promise<void> =>
  void (await Promise.all(Array.from({ length: callers }, (_, nth) => action(nth))));

const callerSteps: { readonly [K in Exclude<Step['do'], ProviderStep>]: (shop: Shop, step: StepOf<K>) => Promise<void> } = {
  async create(shop, step) {
    const promo_code = step.promo && step.basket !== 'free' ? 'three' : null;
    const voucher_id = step.voucher === null ? null : shop.vouchers.ids[step.voucher];
    const basket = basketFor(step, shop.slots[step.slot]?.id);
    const request = shop.basket({ idempotency_key: randomUUID(), ...basket, promo_code, voucher_id });
    await together(step.callers, () => shop.place(step, request));
  },
  async createAgain(shop, step) {
    const order = shop.known(step.order);
    if (!order?.request) return;
    const { status, body } = shop.checked(step, await shop.customer(order.customerIndex).call('POST', '/api/v1/orders', order.request));
    if (status === 200 && body.order_id !== order.id) shop.wrong.push(`one key placed two orders: ${order.id} and ${body.order_id}`);
  },
  async pay(shop, step) {
    const order = shop.known(step.order);
    if (order?.intentId) await pay(shop.running, order.intentId, step.card).catch(() => {});
  },
  async confirm(shop, step) {
    const order = shop.known(step.order);
    if (!order?.intentId) return;
    await together(step.callers, async () => {
      if (shop.checked(step, await shop.confirmUnderKey(order)).status === 200) order.paid = true;
    });
  },
  async webhooks(shop, { reversed }) {
    await shop.running.payments.controls.flush(reversed ? 'reversed' : 'as_made');
    await shop.twice(processProviderEvents);
  },
  async refund(shop, step) {
    const order = shop.known(step.order);
    if (!order) return;
    await together(step.callers, async (nth) => {
      const attempt = `0000000${step.attempt + (step.apart ? nth : 0)}-0000-4000-8000-000000000000`;
      const what = step.line ? { lines: [step.line] } : { amount_pence: step.pence };
      const wanted = { ...what, refund_attempt_id: attempt };
      const { status, body } = shop.checked(step, await shop.staff.refund(order.id, wanted));
      const before = order.refunds.get(attempt);
      if (status !== 200) return;
      if (before && (before.amount !== body.refund.amount || before.asked !== JSON.stringify(what)))
        shop.wrong.push(`one attempt made two refunds, or answered two requests: ${JSON.stringify([before, step, body.refund])}`);
      order.refunds.set(attempt, { ...body.refund, asked: JSON.stringify(what) });
    });
  },
  async advance(shop, step) {
    const order = shop.known(step.order);
    if (!order) return;
    await together(step.callers, async () => {
      if (step.to === 'ready') shop.checked(step, await shop.staff.advance(order.id, 'preparing'));
      const more = step.to === 'cancelled' && step.refund ? { refund: true } : {};
      if (shop.checked(step, await shop.staff.advance(order.id, step.to, more)).status !== 200) return;
      if (step.to === 'cancelled') order.ended = 'cancelled';
      if (step.to === 'collected') order.ended = 'fulfilled';
    });
  },
  async setStatus(shop, step) {
    const order = shop.known(step.order);
    if (!order) return;
    await together(step.callers, async () => {
      const more = step.to === 'cancelled' && step.refund ? { refund: true } : {};
      const request = { store_id: shop.store.id, status: step.to, ...more };
      const { status } = shop.checked(step, await shop.staff.call('PATCH', `/api/v1/orders/${order.id}/status`, request));
      if (status === 200 && step.to === 'cancelled') order.ended = 'cancelled';
    });
  },
  async endOverdue(shop) {
    shop.running.clock.advance({ hours: 2 });
    await shop.twice(endOverdueOrders);
  },
  async cancelOwn(shop, step) {
    const order = shop.known(step.order);
    if (!order) return;
    const cancel = () => shop.customer(order.customerIndex).call('POST', `/api/v1/orders/${order.id}/cancel`, { store_id: shop.store.id });
    await together(step.callers, async () => {
      const { status, body } = shop.checked(step, await cancel());
      if (status === 200 && body.order.id === order.id && body.order.status !== 'expired') order.ended = 'cancelled';
    });
  },
  async correct(shop, step) {
    const order = shop.known(step.order);
    if (!order) return;
    const request = { store_id: shop.store.id, to_status: step.to, reason: 'It was another order.' };
    const correct = () => shop.staff.call('POST', `/api/v1/orders/${order.id}/correct`, request);
    await together(step.callers, async () => void shop.checked(step, await correct()));
  },
  async collectEarlier(shop, step) {
    const order = shop.known(step.order);
    const slot = shop.slots[step.slot];
    if (!order || !slot) return;
    const request = { store_id: shop.store.id, order_id: order.id, slot_id: slot.id };
    const by = shop.customer(order.customerIndex);
    await together(step.callers, async () => void shop.checked(step, await by.call('POST', '/api/v1/orders/collect-earlier', request)));
  },
  async soldOut(shop, step) {
    await together(step.callers, async () => void shop.checked(step, await shop.switches.item(step.item, { sold_out: step.soldOut })));
  },
  async left(shop, step) {
    await together(step.callers, async () => void shop.checked(step, await shop.switches.item(step.item, { left: step.left })));
  },
  async pause(shop, step) {
    const change = { paused: step.paused, minutes: step.minutes };
    await together(step.callers, async () => void shop.checked(step, await shop.switches.pause(change)));
  },
  async expireOverdue(shop) {
    shop.running.clock.advance({ minutes: shop.running.service.context.holdMinutes + 1 });
    await shop.twice(expireUnpaidOrders);
  },
  async reconcile(shop) {
    shop.running.clock.advance({ seconds: 30 });
    await shop.twice(reconcilePayments);
  },
  async cancelWhilePaying(shop, step) {
    const order = shop.known(step.order);
    if (!order?.intentId) return;
    const { id, intentId } = order;
    const { staff, store, running } = shop;
    const cancel = () => (step.axis === 'status' ? setStatus(staff, store, id, 'cancelled') : staff.advance(id, 'cancelled'));
    const [, confirmed, cancelled] = await Promise.all([
      pay(running, intentId, step.card).catch(() => {}),
      shop.customer(order.customerIndex).confirm(store, intentId),
      cancel(),
    ]);
    if (shop.checked(step, confirmed).status === 200) order.paid = true;
    if (shop.checked(step, cancelled).status === 200) order.ended = 'cancelled';
  },
  async erase(shop) {
    shop.isErased = true;
    await shop.consume(erasedEvent(shop.leaver.sub));
  },
  async profile(shop, { version }) {
    await shop.consume(customerNamedZed(shop.leaver.sub, version));
  },
  async readProvider(shop) {
    shop.running.clock.advance({ minutes: 1 });
    await shop.twice(readProviderEvents).catch(() => {});
    await shop.twice(readAccounts).catch(() => {});
  },
};

function basketFor({ basket }: StepOf<'create'>, slot_id: string | undefined): Record<string, unknown> {
  const items = [{ menu_item_id: 'cake', quantity: 1, note: 'for Zed' }];
  const mixed = [
    { role: 'now', items },
    { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }], slot_id, collection_mode: 'scheduled' },
    { role: 'collect', items: [{ menu_item_id: 'croissant', quantity: 3 }] },
  ];
  return {
    now: { items: [...items, { menu_item_id: 'croissant', quantity: 1 }] },
    collect: { items, order_type: 'collect' },
    slot: { items: [{ menu_item_id: 'flat-white', quantity: 2 }], slot_id },
    mixed: { items: [], fulfilment_groups: mixed },
    chosen: { items: [{ menu_item_id: 'cake', quantity: 2, choices: ['cream'] }, ...items], order_type: 'collect' },
    free: { items: [{ menu_item_id: 'sample', quantity: 1 }], order_type: 'collect' },
  }[basket];
}
