import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { browseConsole, type ConsoleInBrowser, executable, goTo } from '../console/testing/console-in-browser.ts';
import { callApi } from '../testing/call-api.ts';
import type { WatchedPage } from '../testing/open-browser.ts';
import { basket, newShopper, pay, type Shopper } from '../testing/order-scenario.ts';
import { type OwnStore, openStoreOfBo } from '../testing/own-store.ts';
import { pixelsTooWide } from '../testing/page-checks.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';

const inBrowser = executable ? test : test.skip;
const script = `<img src=x onerror="hacked=1"><svg onload=hacked=1>`;
/** Names that people can type: markup, right-to-left text with its marks, four-byte letters, and one word of the longest name. */
const hostile = [script, '\u200fgnp. \u0645\u0631\u062d\u0628\u0627\u200e', '𝕿𝖊𝖆 👩‍👩‍👧‍👦', 'W'.repeat(120)] as const;

let console: ConsoleInBrowser | undefined;
let coffee: OwnStore;
let cuts: OwnStore;
let ana: Shopper;
let orderId: string;

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  const { system, history } = console.environment;
  const ofBo = { coffee: await openStoreOfBo('coffee', system), cuts: await openStoreOfBo('cuts', system) };
  ({ coffee, cuts } = ofBo);
  ana = await newShopper(system);
  const call = (method: string, path: string, token: string | null, body?: object) => callApi(system, method, path, token, body);
  const items = hostile.map((name, n) => ({
    id: `hostile-${n}`,
    name,
    price_pence: 100,
    description: `${script} ${'W'.repeat(300)}`,
    category: name.slice(0, 60),
    options: [{ id: 'milk', name: name.slice(0, 60), choices: [{ id: `choice-${n}`, name: name.slice(0, 60) }] }],
  }));
  for (const { id, merchant } of [ofBo.coffee, ofBo.cuts])
    await call('PATCH', `/directory/stores/${id}`, merchant, { name: script, welcome_message: script });
  await call('PATCH', `/directory/stores/${coffee.id}/menu`, ofBo.coffee.merchant, { items });
  const service = { id: randomUUID(), name: script, minutes: 30 };
  const weekly_shifts = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' }];
  const unit = { id: randomUUID(), name: script, service_ids: [service.id], weekly_shifts };
  await call('PATCH', `/directory/stores/${cuts.id}/floor`, ofBo.cuts.merchant, { services: [service], units: [unit] });
  await call('PATCH', '/directory/me', ana.customer, { name: script });
  const menu = async (): Promise<readonly { readonly id: string }[]> => (await call('GET', `/orders/stores/${coffee.id}/menu`, null)).items;
  await until(async () => (await menu()).some(({ id }) => id === 'hostile-3'), { describe: 'the menu to have the hostile items' });
  const order = {
    ...basket(ana.key),
    store_id: coffee.id,
    store_code: coffee.code,
    items: items.map(({ id }, n) => ({ menu_item_id: id, quantity: 1, choices: [`choice-${n}`], note: script })),
  };
  const placed = await call('POST', '/orders', ana.customer, order);
  orderId = placed.order_id ?? '';
  await pay(system, history, placed.payment_intent_id ?? '');
  await call('POST', '/orders/confirm', ana.customer, { store_id: coffee.id, payment_intent_id: placed.payment_intent_id });
  await call('POST', `/orders/${orderId}/notify-delay`, ofBo.coffee.merchant, { store_id: coffee.id, delayMinutes: 5, note: script });
  for (const guest_name of hostile) await call('POST', '/queue/join', null, { store_id: cuts.id, guest_name: guest_name.slice(0, 80) });
});
afterAll(async () => await console?.[Symbol.asyncDispose]());

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;

async function faultsOf({ page, foreign, errors }: WatchedPage, own: string, path: string): Promise<string[]> {
  const ran = await page.evaluate(`'hacked' in globalThis`);
  const wide = await pixelsTooWide(page);
  const left = foreign.filter((url) => !url.startsWith(`${own}/`));
  return [...(ran ? ['a script ran'] : []), ...(wide > 0 ? [`${wide} pixels too wide`] : []), ...left, ...errors].map(
    (fault) => `${path}: ${fault}`,
  );
}

const shows = ({ page }: WatchedPage, text: string): Promise<unknown> =>
  page.waitForFunction(`document.body.textContent.includes(${JSON.stringify(text)})`);

inBrowser(
  'names with markup, another direction, odd letters or great length are text on the pages of the shop, and fit a phone',
  async () => {
    const shop = running().environment.system.run.shop ?? '';
    const watched = await running().visit(`${shop}/s/${coffee.code}`);
    const { page } = watched;
    await page.setViewport({ width: 390, height: 844 });
    const faults: string[] = [];
    for (const text of hostile) await shows(watched, text);
    faults.push(...(await faultsOf(watched, shop, '/s/S1')));
    await page.evaluate(`[...document.querySelectorAll('.menu-item')].find((item) => item.textContent.includes('WWW')).click()`);
    await page.waitForSelector('dialog[open]');
    faults.push(...(await faultsOf(watched, shop, 'an item')));
    await page.goto(`${shop}/s/${cuts.code}/queue`, { waitUntil: 'load' });
    await shows(watched, script);
    faults.push(...(await faultsOf(watched, shop, '/s/S2/queue')));
    expect(faults).toEqual([]);
  },
);

inBrowser('and on the pages of the console, of merchants and of operators', async () => {
  const faults: string[] = [];
  const look = async (person: string, paths: Readonly<Record<string, readonly string[]>>) => {
    const [first = '', ...others] = Object.keys(paths);
    const watched = await running().open(person, first);
    for (const path of [first, ...others]) {
      if (path !== first) await goTo(watched.page, `${running().url}${path}`);
      for (const text of paths[path] ?? []) await shows(watched, text);
      faults.push(...(await faultsOf(watched, running().url, path)));
    }
  };
  const [ofCoffee, ofCuts] = [`/shop/${coffee.id}`, `/shop/${cuts.id}`];
  await look('bo', {
    [`${ofCoffee}/orders`]: hostile,
    [`${ofCoffee}/orders?order=${orderId}`]: [script],
    [`${ofCoffee}/menu`]: hostile,
    [`${ofCoffee}/log`]: [],
    [`${ofCoffee}/customers/${ana.customerId}`]: [script],
    [`${ofCoffee}/settings/menu`]: [],
    [`${ofCoffee}/settings/store`]: [],
    [`${ofCuts}/queue`]: [hostile[0], hostile[2]],
    [`${ofCuts}/settings/floor`]: [],
  });
  await look('olu', { [`/story/${orderId}`]: [], '/messages': [] });
  expect(faults).toEqual([]);
});
