import { randomUUID } from 'node:crypto';
import { createClient } from '@corner/client';
import { newShopper, payAndConfirm } from '../../testing/order-scenario.ts';
import { openStoreOfBo, publishDirectory } from '../../testing/own-store.ts';
import type { TestEnvironment } from '../../testing/test-environment.ts';

/** Names of forty letters and more: in English, in French, and one German word. */
export const names = {
  latte: 'Iced caramel oat latte with extra cinnamon',
  chocolat: 'Chocolat chaud à l’ancienne crème fouettée',
  kaffee: 'Donaudampfschifffahrtskapitänskaffeegedeck',
} as const;
const milk = {
  id: 'milk',
  name: 'Milk',
  choices: [
    { id: 'whole-milk', name: 'Whole milk', allergens: ['milk'] },
    { id: 'oat-milk', name: 'Lait d’avoine entier non sucré', allergens: ['gluten'] },
  ],
};
const items = Object.entries(names).map(([id, name]) => ({
  id,
  name,
  price_pence: 340,
  vat_rate_bps: 2000,
  prep_minutes: 5,
  options: [milk],
}));

interface PlannedOrder {
  readonly lines: readonly { readonly menu_item_id: keyof typeof names; readonly quantity: number; readonly choices: string[] }[];
  readonly order_type: 'collect' | 'buy_now';
}

const oat = (menu_item_id: keyof typeof names, quantity = 1) => ({ menu_item_id, quantity, choices: ['oat-milk'] });
const kinds: readonly PlannedOrder[] = [
  { order_type: 'collect', lines: [oat('latte')] },
  { order_type: 'collect', lines: [oat('kaffee', 2), oat('chocolat')] },
  { order_type: 'buy_now', lines: [oat('chocolat', 3)] },
  { order_type: 'collect', lines: [oat('latte', 2)] },
  { order_type: 'collect', lines: [oat('chocolat'), oat('latte')] },
];

export async function openOnSaturday(environment: TestEnvironment, orders: number): Promise<string> {
  const code = `KAFFEEHAUS-${randomUUID().slice(0, 8).toUpperCase()}`;
  const { id: store_id } = await openStoreOfBo('coffee', environment.system, { code });
  await publishDirectory(environment.system, { menus: [{ store_id, items }] });
  for (let n = 0; n < orders; n++) await place(environment, store_id, code, kinds[n % kinds.length] as PlannedOrder);
  return store_id;
}

async function place(environment: TestEnvironment, store_id: string, store_code: string, planned: PlannedOrder): Promise<void> {
  const { lines, order_type } = planned;
  const { customer, key } = await newShopper(environment.system);
  const client = createClient({ baseUrl: environment.system.gatewayUrl, token: customer });
  const basket = { store_id, store_code, idempotency_key: key, items: [...lines], order_type };
  const { data } = await client.POST('/api/v1/orders', {
    body: order_type === 'collect' ? { ...basket, collection_mode: 'now' } : basket,
  });
  await payAndConfirm(environment, client, store_id, data);
}
