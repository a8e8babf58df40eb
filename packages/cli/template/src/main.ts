import { createClient, isErrorOf } from '@corner/client';
import { demoTokens, payWithTestCard } from './demo.js';
import { settings } from './settings.js';

const { gateway, storeId, storeCode } = settings;
const clientOf = (token: string) =>
  createClient({
    baseUrl: gateway,
    token,
    onRetry: ({ operation, attempt, error }) => console.log(`again     ${operation}, after ${error.code} (${attempt})`),
  });
const ana = clientOf(demoTokens.ana);
const cy = clientOf(demoTokens.cy);

// Ana orders. The client adds an idempotency key: a retry never places a second order.
const order = await place();
console.log(`placed    ${order.order_number}: ${(order.amount_pence / 100).toFixed(2)} ${order.currency}`);

// She pays at the payment provider, and the app says so to Corner.
const payment_intent_id = order.payment_intent_id ?? '';
await payWithTestCard(payment_intent_id);
const { data: paid } = await ana.POST('/api/v1/orders/confirm', { body: { store_id: storeId, payment_intent_id } });
console.log(`${paid.status}      collection code ${paid.collection_code}`);

// The order is followed until it is collected. Cy, at the counter, moves it on.
const next: Record<string, 'preparing' | 'ready' | 'collected'> = { accepted: 'preparing', preparing: 'ready', ready: 'collected' };
const path = { orderId: order.order_id };
let last: string | null = null;
for await (const { order: now } of ana.follow('/api/v1/orders/{orderId}/mine', { params: { path } })) {
  if (now.fulfilment_status === last) continue;
  last = now.fulfilment_status;
  console.log(`status    ${last}`);
  const to_status = next[last ?? ''];
  if (!to_status) break;
  await cy.PATCH('/api/v1/orders/{orderId}/fulfilment', { params: { path }, body: { store_id: storeId, to_status } });
}

async function place() {
  try {
    const items = [{ menu_item_id: 'flat-white', quantity: 1 }];
    const body = { store_id: storeId, store_code: storeCode, items, order_type: 'collect', collection_mode: 'now' } as const;
    return (await ana.POST('/api/v1/orders', { body })).data;
  } catch (error) {
    // The compiler knows with which codes this operation may fail.
    if (isErrorOf(error, 'createOrder') && error.code === 'OUT_OF_STOCK') throw new Error('There are no flat whites today.');
    throw error;
  }
}
