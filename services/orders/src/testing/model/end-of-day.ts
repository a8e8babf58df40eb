import { readAccounts } from '../../accounts/sagas.ts';
import { expireUnpaidOrders, reconcilePayments } from '../../confirmation/jobs.ts';
import { erasing } from '../../customers/entry-points.ts';
import { moveStoreShares } from '../../disputes/sagas.ts';
import { processProviderEvents, readProviderEvents } from '../../events/jobs.ts';
import { endOverdueOrders } from '../../fulfilment/jobs.ts';
import { pay } from '../callers.ts';
import type { KnownOrder, Shop } from './shop.ts';

/**
 * Ends the day: no webhook arrives any more, no call fails, and the jobs run for some hours. Then every customer can still order and pay;
 * a paused store, or one with a restricted account, refuses orders until that ends. Contradictions are recorded as wrong.
 */
export async function endDay(shop: Shop): Promise<void> {
  shop.provider.endOfDay();
  await quietTime(shop);
  await endSwitches(shop);
  if (shop.provider.restricted) {
    await expectNoOrder(shop, 409, 'STORE_NOT_ACCEPTING_ORDERS', 'a store with a restricted account');
    shop.running.payments.controls.restoreAccount(shop.store.account);
    await quietTime(shop);
  }
  for (const order of shop.orders) await expectConfirmed(shop, order);
  await Promise.all(shop.customers.map((_, index) => expectOrder(shop, index)));
  await quietTime(shop);
}

async function expectNoOrder(shop: Shop, refused: number, code: string, what: string): Promise<void> {
  const { status, body } = await shop.customer(0).create(shop.store);
  if (status !== refused || body.error.code !== code) shop.wrong.push(`${what} took an order: ${status} ${JSON.stringify(body)}`);
}

async function endSwitches(shop: Shop): Promise<void> {
  const { pause, items } = (await shop.switches.read()).body;
  if (pause) await expectNoOrder(shop, 409, 'STORE_NOT_ACCEPTING_ORDERS', 'a paused store');
  await shop.switches.pause({ paused: false });
  if (items.find(({ menu_item_id }: { menu_item_id: string }) => menu_item_id === 'croissant').sold_out && !shop.provider.restricted)
    await expectNoOrder(shop, 409, 'OUT_OF_STOCK', 'a store without croissants');
  for (const { menu_item_id } of items) await shop.switches.item(menu_item_id, { sold_out: 'no', left: null });
}

/** Six hours, in which the jobs run three times. The provider still repeats each error that it keeps under a key. */
async function quietTime({ running: { clock, service } }: Shop): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    clock.advance({ hours: 2 });
    await readProviderEvents(service.context);
    await readAccounts(service.context);
    await processProviderEvents(service.context);
    await moveStoreShares(service.context);
    await expireUnpaidOrders(service.context);
    await endOverdueOrders(service.context);
    await reconcilePayments(service.context);
    await erasing.job.run(service.context);
  }
}

async function expectConfirmed(shop: Shop, order: KnownOrder): Promise<void> {
  if (!order.intentId || (await shop.staff.get(order.id)).body.order.status !== 'paid') return;
  const { status, body } = await shop.confirmUnderKey(order);
  if (status !== 200) shop.wrong.push(`the paid order ${order.id} cannot be confirmed: ${status} ${JSON.stringify(body)}`);
}

async function expectOrder(shop: Shop, customerIndex: number): Promise<void> {
  const request = shop.basket({ items: [{ menu_item_id: 'croissant', quantity: 1 }] });
  const { status, body } = await shop.customer(customerIndex).call('POST', '/api/v1/orders', request);
  if (shop.isErased && shop.customer(customerIndex) === shop.leaver) {
    if (status !== 401) shop.wrong.push(`an erased customer can order: ${status}`);
    return;
  }
  if (status !== 200) return void shop.wrong.push(`customer ${customerIndex} cannot order: ${status} ${JSON.stringify(body)}`);
  shop.remember(body.order_id, customerIndex, { request, intentId: body.payment_intent_id });
  const order = shop.orders.find(({ id }) => id === body.order_id);
  if (!order) return;
  // An app may confirm before the payment has arrived; that response must not be repeated afterwards.
  await shop.confirmUnderKey(order);
  await pay(shop.running, body.payment_intent_id);
  const confirmed = await shop.confirmUnderKey(order);
  if (confirmed.status !== 200) shop.wrong.push(`customer ${customerIndex} cannot pay: ${JSON.stringify(confirmed.body)}`);
  order.paid = true;
}
