import { people, stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import {
  type ConsoleInBrowser,
  clickButton,
  executable,
  goTo,
  screenshots,
  setHidden,
  startConsoleInBrowser,
  untilText,
} from './testing/console-in-browser.ts';
import { card, copyOrder, peopleOf } from './testing/day-in-a-shop.ts';
import { look } from './testing/look.ts';
import { approveStamp, redeemVoucher, refundInPart } from './testing/lost-responses.ts';
import { tapTag } from './testing/tap-tag.ts';

const inBrowser = executable ? test : test.skip;
const coffee = `/shop/${stores.coffee.id}`;
const cuts = `/shop/${stores.cuts.id}`;

let console: ConsoleInBrowser | undefined;
let phone: Awaited<ReturnType<typeof peopleOf>>;

beforeAll(async () => {
  if (!executable) return;
  console = await startConsoleInBrowser();
  phone = await peopleOf(console.environment);
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;

inBrowser('a day in the shop: orders collected, a part refunded, a voucher redeemed, a stamp approved, a guest called', async () => {
  const { page, foreign, errors } = await running().open('bo', `${coffee}/orders`);
  // An order appears without the page being loaded again, and goes through the columns as the customer sees it.
  const { order_id } = await phone.order();
  await page.waitForSelector(card('accepted', order_id));
  for (const [button, from, to] of [
    ['Start', 'accepted', 'preparing'],
    ['Ready', 'preparing', 'ready'],
    ['Collected', 'ready', 'collected'],
  ] as const) {
    await clickButton(page, card(from, order_id), button);
    await page.waitForSelector(card(to, order_id));
    expect(await phone.mine(order_id)).toMatchObject({ fulfilment_status: to });
  }

  await refundInPart(page, phone, order_id);
  await redeemVoucher(page, running(), phone);
  await phone.collectStamp();
  await goTo(page, `${running().url}${cuts}/approvals`);
  const before = await phone.stampsAtCuts();
  await approveStamp(page, phone);
  expect(await phone.stampsAtCuts()).toBe(before + 1);
  await goTo(page, `${running().url}${cuts}/queue`);
  const entry = await phone.join('Dee');
  await clickButton(page, `[data-column="waiting"] [data-entry="${entry}"]`, 'Call');
  await page.waitForSelector(`[data-column="called"] [data-entry="${entry}"]`);
  expect(await phone.placeOf(entry)).toMatchObject({ status: 'called' });
  await tapTag(running());
  const unexpected = errors.filter((error) => !error.includes(`net::ERR_FAILED ${running().url}/api/v1/`));
  expect({ foreign, unexpected }).toEqual({ foreign: [], unexpected: [] });
});

inBrowser('what another device does to an order appears on the board, and a step that comes too late is a sentence', async () => {
  const { page } = await running().open('cy', `${coffee}/orders`);
  await comeBack(page);
  const { order_id } = await phone.order();
  await page.waitForSelector(card('accepted', order_id));
  const params = { path: { orderId: order_id } };
  const advance = (to_status: 'preparing' | 'ready') =>
    phone.owner.PATCH('/api/v1/orders/{orderId}/fulfilment', { params, body: { store_id: stores.coffee.id, to_status } });
  await advance('preparing');
  await page.waitForSelector(card('preparing', order_id));

  // The press is held back until the other device was faster twice.
  await page.setRequestInterception(true);
  const pressed = new Promise<void>((resolve) => {
    page.on('request', (request) => {
      if (request.method() !== 'PATCH') return void request.continue();
      void phone.owner
        .PATCH('/api/v1/orders/{orderId}/status', { params, body: { store_id: stores.coffee.id, status: 'cancelled' } })
        .then(() => request.continue())
        .then(resolve);
    });
  });
  await clickButton(page, card('preparing', order_id), 'Ready');
  await pressed;
  await untilText(page, '#main [role="alert"]', 'was changed by another person meanwhile');
  await page.waitForSelector(card('collected', order_id));
});

/** What another device does while the tab is hidden, or shows another page, is on the board when it is shown again. */
async function comeBack(page: Page): Promise<void> {
  const other = await running().open('bo', `${coffee}/orders`);
  const { order_id } = await phone.order();
  /** Sets the status by another device, whose board shows it: no stream that is opened from then on says it again. */
  const advance = async (to_status: 'preparing' | 'ready' | 'collected') => {
    const body = { store_id: stores.coffee.id, to_status };
    await phone.owner.PATCH('/api/v1/orders/{orderId}/fulfilment', { params: { path: { orderId: order_id } }, body });
    await other.page.waitForSelector(card(to_status, order_id));
  };
  await advance('preparing');
  await page.waitForSelector(card('preparing', order_id));
  await setHidden(page, true);
  await advance('ready');
  await setHidden(page, false);
  await page.waitForSelector(card('ready', order_id));

  await page.click(`.side a[href$="/queue"]`);
  await untilText(page, 'h1', 'Queue');
  await advance('collected');
  await page.click(`.side a[href$="/orders"]`);
  await page.waitForSelector(card('collected', order_id));
}

inBrowser(
  'every page of the shop is usable on a phone and a desktop, light and dark',
  async () => {
    await phone.order();
    await phone.collectStamp();
    await phone.join('Eli');
    const { page, foreign, errors } = await running().open('bo', `${coffee}/orders`);
    const faults: string[] = [];
    for (const [name, path] of [
      ['orders', `${coffee}/orders`],
      ['queue', `${cuts}/queue`],
      ['approvals', `${cuts}/approvals`],
      ['money', `${coffee}/money`],
      ['customer', `${coffee}/customers/${people.ana.id}`],
      ['sandbox', '/sandbox'],
      ['inbox', '/inbox'],
    ] as const) {
      await goTo(page, `${running().url}${path}`);
      faults.push(...(await look(page, name)));
    }
    expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
  },
  600_000,
);

inBrowser('a board of 5,000 orders reads them as one scrolls, and holds the cards in view only', async () => {
  const { order_id } = await phone.order();
  await copyOrder(running().environment, order_id, 5_000);
  const { page } = await running().open('bo', `${coffee}/orders`);
  const cards = () => page.$$eval('[data-order]', (found) => found.length);
  const most = await cards();
  await page.waitForSelector('[data-column="accepted"] [data-index]');
  let read = 0;
  while (read <= 1_000) {
    await page.$eval('[data-column="accepted"] .board-scroll', (column) => {
      column.scrollTop = column.scrollHeight;
    });
    const now = read;
    read = await until(
      async () => {
        const shown = await page.$$eval('[data-column="accepted"] [data-index]', (rows) => Number(rows.at(-1)?.getAttribute('data-index')));
        return shown > now ? shown : false;
      },
      { describe: `cards after the ${now}th` },
    );
    expect(await cards()).toBeLessThan(most + 40);
  }
  await page.screenshot({ path: `${screenshots}/console-5000-orders.png` });
});
