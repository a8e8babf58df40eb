import { randomUUID } from 'node:crypto';
import { createClient } from '@corner/client';
import { people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { basket, newShopper, payAndConfirm } from '../testing/order-scenario.ts';
import { type OwnStore, openStoreOfBo } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { browseConsole, type ConsoleInBrowser, executable, goTo, untilRead, untilText } from './testing/console-in-browser.ts';
import { shownSums } from './testing/end-of-day.ts';
import { look } from './testing/look.ts';

const inBrowser = executable ? test : test.skip;
const dayMs = 86_400_000;
const dateOf = (at: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date(at));

let console: ConsoleInBrowser | undefined;
let store: OwnStore & { readonly merchant: string };

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  store = await openStoreOfBo('coffee', console.environment.system);
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;

async function sell(): Promise<string> {
  const { environment } = running();
  const { system } = environment;
  const { id: store_id, code: store_code } = store;
  const numbers = [];
  for (const tip_pence of [150, 0]) {
    const shopper = await newShopper(system);
    const customer = createClient({ baseUrl: system.gatewayUrl, token: shopper.customer });
    const { data } = await customer.POST('/api/v1/orders', { body: { ...basket(shopper.key), store_id, store_code, tip_pence } });
    await payAndConfirm(environment, customer, store_id, data);
    numbers.push(data.order_number);
    const merchant = createClient({ baseUrl: system.gatewayUrl, token: store.merchant });
    if (tip_pence === 0)
      await merchant.POST('/api/v1/orders/{orderId}/refund', {
        params: { path: { orderId: data.order_id } },
        body: { store_id, reason: 'It was cold.', refund_attempt_id: randomUUID(), amount_pence: 100 },
      });
  }
  return numbers[0] ?? '';
}

const pick = (page: Page, label: string, day: string): Promise<void> =>
  page.$eval(
    `input[aria-label="${label}"]`,
    (field, picked) => {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, picked);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    day,
  );

inBrowser(
  'the page of money shows a day and a range with tips and the provider’s balance, as the client reads them, and both as CSV',
  async () => {
    const { environment, url } = running();
    const { id: store_id } = store;
    const money = `/shop/${store_id}/money`;
    const tipped = await sell();
    const now = Date.now();
    const [from, to] = [dateOf(now - 6 * dayMs), dateOf(now)];
    const token = () => environment.system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id] });
    const owner = createClient({ baseUrl: environment.system.gatewayUrl, token });
    const read = async () => (await owner.GET('/api/v1/orders/reports', { params: { query: { store_id, from, to } } })).data;
    await until(async () => (await read()).total.refunds.count > 0, { describe: 'the refund to be accepted' });
    const { total, days, items } = await read();
    expect(days).toHaveLength(7);

    const { page, errors, foreign } = await running().open('bo', money);
    const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
    const sums = {
      Orders: String(total.orders.paid),
      Taken: pounds.format(total.gross_pence / 100),
      Refunded: pounds.format(-total.refunds.store_pence / 100),
      Fees: pounds.format(-total.fees.platform_pence / 100),
      Net: pounds.format(total.net_pence / 100),
    };
    expect(await shownSums(page)).toEqual(sums);
    await untilText(page, '#main', tipped);
    expect(await page.$eval('.provider-balance', ({ textContent }) => textContent)).toMatch(
      /(agrees with|Not compared with) the provider’s balance/,
    );

    await pick(page, 'From', from);
    await page.waitForFunction(`location.search.includes('from=')`);
    await pick(page, 'To', to);
    await untilText(page, '#main', 'By day');
    await untilRead(page);
    expect(await shownSums(page)).toEqual(sums);
    await untilText(page, '#main', items[0]?.name ?? '');
    expect(await page.$$eval('#main h2', (heads) => heads.map(({ textContent }) => textContent))).toEqual(
      expect.arrayContaining(['By day', 'Details', 'Items', 'Tips']),
    );

    const tables = await page.$$eval('#main a.button[download]', (links) =>
      Promise.all(links.map(async (link) => await (await fetch((link as unknown as { href: string }).href)).text())),
    );
    const [report = '', tips = ''] = tables;
    expect(report.split('\r\n')).toHaveLength(10);
    expect(report).toContain(`total,GBP,${total.orders.paid},`);
    expect(tips).toContain(`,${tipped},`);

    await click(page, '#main a[href*="/proof?"]');
    await page.waitForFunction(`location.pathname.endsWith('/proof') && document.querySelector('#main .cards, #main .failure')`);
    await goTo(page, `${url}/shop/${store_id}/proof?from=${to}&to=${to}`);
    await untilText(page, '#main', 'closed days nothing to prove yet');
    expect(await look(page, 'proof')).toEqual([]);

    await goTo(page, `${url}${money}?from=2020-01-01&to=${to}`);
    await untilText(page, '#main', 'Choose 366 at most.');
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
  },
);
