import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
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
import { approveStamp, redeemVoucher, refundInPart } from './testing/lost-responses.ts';
import { tapTag } from './testing/tap-tag.ts';
import { locksOf, untilNotes, watchCounter } from './testing/watch-counter.ts';

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

inBrowser('a refund, a redemption and an approval whose responses are lost are each done once; a tag is tapped', async () => {
  const { order_id } = await phone.order();
  await advance(order_id, 'preparing', 'ready', 'collected');
  const { page, foreign, errors } = await running().open('bo', `${coffee}/orders`);
  await refundInPart(page, phone, order_id);
  await redeemVoucher(page, running(), phone);
  await phone.collectStamp();
  await goTo(page, `${running().url}${cuts}/approvals`);
  const before = await phone.stampsAtCuts();
  await approveStamp(page, phone);
  expect(await phone.stampsAtCuts()).toBe(before + 1);
  await tapTag(running());
  const unexpected = errors.filter((error) => !error.includes(`net::ERR_FAILED ${running().url}/api/v1/`));
  expect({ foreign, unexpected }).toEqual({ foreign: [], unexpected: [] });
});

async function advance(orderId: string, ...statuses: readonly ('preparing' | 'ready' | 'collected')[]): Promise<void> {
  for (const to_status of statuses) {
    const body = { store_id: stores.coffee.id, to_status };
    await phone.owner.PATCH('/api/v1/orders/{orderId}/fulfilment', { params: { path: { orderId } }, body });
  }
}

inBrowser('what another device does to an order appears on the board, and a step that comes too late is a sentence', async () => {
  const { page } = await running().open('cy', `${coffee}/orders`);
  await comeBack(page);
  const { order_id } = await phone.order();
  await page.waitForSelector(card('accepted', order_id));
  const params = { path: { orderId: order_id } };
  await advance(order_id, 'preparing');
  await page.waitForSelector(card('preparing', order_id));

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
  await page.waitForSelector(card('returned', order_id));
});

inBrowser('a new order counts in the title and sounds until it is touched, in a hidden tab too, and the screen stays on', async () => {
  const { page, errors } = await running().open('bo', `${coffee}/orders`);
  await watchCounter(page);
  await goTo(page, `${running().url}${coffee}/orders`);
  await page.waitForFunction('counter.locks === 1');
  await page.focus('[role="switch"]');
  await page.keyboard.press('Space');
  await page.waitForFunction('counter.notes === 2');

  await setHidden(page, true);
  const { order_id } = await phone.order();
  await page.waitForSelector(card('accepted', order_id));
  await page.waitForFunction(`document.title.startsWith('(1) Orders')`);
  await untilNotes(page, 6);
  await setHidden(page, false);
  expect(await locksOf(page)).toBe(2);
  await clickButton(page, card('accepted', order_id), 'Details');
  await page.waitForFunction(`document.title.startsWith('Orders')`);

  await page.reload({ waitUntil: 'load' });
  await untilText(page, '.controls', 'once you press anywhere');
  const next = await phone.order();
  await page.waitForSelector(card('accepted', next.order_id));
  await page.keyboard.press('Tab');
  await untilNotes(page, 2);
  expect(errors).toEqual([]);
});

async function comeBack(page: Page): Promise<void> {
  const other = await running().open('bo', `${coffee}/orders`);
  const { order_id } = await phone.order();
  const show = async (status: 'preparing' | 'ready' | 'collected') => {
    await advance(order_id, status);
    await other.page.waitForSelector(card(status, order_id));
  };
  await show('preparing');
  await page.waitForSelector(card('preparing', order_id));
  await setHidden(page, true);
  await show('ready');
  await setHidden(page, false);
  await page.waitForSelector(card('ready', order_id));

  await click(page, `.side a[href$="/queue"]`);
  await untilText(page, 'h1', 'Queue');
  await show('collected');
  await click(page, `.side a[href$="/orders"]`);
  await page.waitForSelector(card('collected', order_id));
}

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
