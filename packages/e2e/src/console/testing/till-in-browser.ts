import { createClient } from '@corner/client';
import type { Page } from 'puppeteer-core';
import { openStoreOfBo, publishDirectory } from '../../testing/own-store.ts';
import type { TestEnvironment } from '../../testing/test-environment.ts';

export const tabletScreen = { width: 1024, height: 768, hasTouch: true };

const milk = {
  id: 'milk',
  name: 'Milk',
  choices: [
    { id: 'whole-milk', name: 'Whole milk', allergens: ['milk'] },
    { id: 'oat-milk', name: 'Oat milk', price_pence: 40, allergens: ['gluten'] },
  ],
};
const drinks = ['Flat white', 'Latte', 'Cappuccino', 'Americano', 'Espresso', 'Mocha', 'Cortado', 'Chai latte'];
const idOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
const twoRates = [
  { when: 'eat_in', rate_bps: 2_000 },
  { when: 'away', rate_bps: 0 },
];
const items = [
  ...drinks.map((name) => ({
    id: idOf(name),
    name,
    category: 'Coffee',
    price_pence: 320,
    vat_rate_bps: 2_000,
    prep_minutes: 3,
    options: [milk],
  })),
  ...['Croissant', 'Brownie', 'Last cake'].map((name) => ({
    id: idOf(name),
    name,
    category: 'Food',
    price_pence: 290,
    vat_rate_bps: 2_000,
    vat: twoRates,
    prep_minutes: 1,
    ...(name === 'Last cake' ? { stock: 1 } : {}),
  })),
  { id: 'water', name: 'Water', category: 'Cold', price_pence: 150, vat_rate_bps: 2_000, prep_minutes: 0 },
];

export async function openTillStore({ system }: TestEnvironment) {
  const store = await openStoreOfBo('coffee', system, { cy: 'staff' });
  await publishDirectory(system, { menus: [{ store_id: store.id, items }] });
  const client = createClient({ baseUrl: system.gatewayUrl, token: store.merchant });
  return {
    ...store,
    client,
    sales: async () =>
      (await client.GET('/api/v1/orders/at-counter', { params: { query: { store_id: store.id, limit: 100 } } })).data.sales,
    drawer: async () => (await client.GET('/api/v1/orders/drawers', { params: { query: { store_id: store.id } } })).data.drawers[0],
  };
}

export interface Finger {
  readonly taps: number;
  tap(within: string, text: string): Promise<void>;
}

export function fingerOn(page: Page): Finger {
  let taps = 0;
  return {
    get taps() {
      return taps;
    },
    async tap(within, text) {
      const selector = JSON.stringify(`${within} :is(button:enabled:not([aria-disabled="true"]), a[href])`);
      const find = `[...document.querySelectorAll(${selector})].find((one) => one.textContent.trim().startsWith(${JSON.stringify(text)}))`;
      await page.waitForFunction(find);
      const at = (await page.evaluate(`(() => {
        const found = ${find};
        const { left, top, right, bottom } = found.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const isShown = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && found.contains(document.elementFromPoint(x, y));
        return isShown && { x, y };
      })()`)) as { x: number; y: number } | false;
      if (!at) throw new Error(`${text} is not on the screen`);
      taps += 1;
      await page.touchscreen.tap(at.x, at.y);
    },
  };
}
