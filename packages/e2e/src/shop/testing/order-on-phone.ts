import { randomUUID } from 'node:crypto';
import { type CornerClient, createClient, type operations } from '@corner/client';
import { people, stores } from '@corner/sandbox/demo';
import { simulatorKey } from '@corner/sandbox/system';
import type { Page } from 'puppeteer-core';
import { click } from '../../testing/open-browser.ts';
import type { TestEnvironment } from '../../testing/test-environment.ts';
import { press } from './shop-in-browser.ts';

type Body = operations['createOrder']['requestBody']['content']['application/json'];
const { id: store_id, code: store_code } = stores.coffee;

const collected = { order_type: 'collect', collection_mode: 'now' } as const;
const latte: Partial<Body> = {
  items: [
    { menu_item_id: 'flat-white', quantity: 2, choices: ['oat-milk', 'extra-shot'], note: 'extra hot' },
    { menu_item_id: 'croissant', quantity: 1 },
  ],
  tip_pence: 50,
};

export async function beginOrder(page: Page, order: Partial<Body> = latte): Promise<string> {
  const attempt = {
    attempt_id: randomUUID(),
    idempotency_key: randomUUID(),
    body: { store_id, store_code, items: [], ...(order.order_type ? {} : collected), ...order },
    state: 'begun',
    order_id: null,
    begun_at: Date.now(),
  };
  await page.evaluate((kept) => localStorage.setItem('corner.attempts', kept), JSON.stringify([attempt]));
  const path = `/s/${store_code}/pay/${attempt.attempt_id}`;
  await page.goto(new URL(path, page.url()).href, { waitUntil: 'load' });
  return path;
}

export async function orderOne(page: Page, name: string, ...choices: readonly string[]): Promise<void> {
  await press(page, name);
  await page.waitForSelector('dialog[open]');
  for (const choice of choices) await press(page, choice);
  await click(page, 'dialog [type="submit"]');
  await page.waitForSelector('dialog', { hidden: true });
  await click(page, '.basket-link');
  await page.waitForSelector('.basket-line');
}

export async function payWith(page: Page, card: string): Promise<void> {
  await press(page, card);
  await press(page, 'Pay £');
}

export async function untilOrder(page: Page): Promise<string> {
  await page.waitForFunction(`location.pathname.startsWith('/orders/') && document.querySelector('.bill')`);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

export async function customerOf(page: Page, { system }: TestEnvironment): Promise<CornerClient> {
  const { access_token: token } = JSON.parse((await page.evaluate(() => localStorage.getItem('corner.session'))) ?? '{}') as {
    readonly access_token?: string;
  };
  return createClient({ baseUrl: system.gatewayUrl, token: token ?? '' });
}

export async function countOrdersAndCharges(page: Page, environment: TestEnvironment): Promise<{ orders: number; charges: number }> {
  const customer = await customerOf(page, environment);
  const { orders } = (await customer.GET('/api/v1/orders/mine')).data;
  const ids = orders.map(({ id }) => id);
  const headers = { authorization: `Bearer ${simulatorKey}` };
  const reply = await fetch(`${environment.system.paymentsUrl}/v1/charges?limit=100`, { headers });
  const { data } = (await reply.json()) as {
    readonly data: readonly { readonly paid: boolean; readonly metadata: { order_id?: string } }[];
  };
  return { orders: ids.length, charges: data.filter(({ paid, metadata }) => paid && ids.includes(metadata.order_id ?? '')).length };
}

export async function staffOf({ system }: TestEnvironment) {
  const token = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id], name: people.bo.name });
  const staff = createClient({ baseUrl: system.gatewayUrl, token });
  return {
    async advance(orderId: string, ...statuses: readonly ('preparing' | 'ready' | 'collected')[]): Promise<void> {
      const params = { path: { orderId } };
      for (const to_status of statuses) await staff.PATCH('/api/v1/orders/{orderId}/fulfilment', { params, body: { store_id, to_status } });
    },
    client: staff,
  };
}
