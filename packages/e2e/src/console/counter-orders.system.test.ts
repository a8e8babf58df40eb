import { people, stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { type ConsoleInBrowser, clickButton, executable, goTo, startConsoleInBrowser, untilText } from './testing/console-in-browser.ts';
import { card, peopleOf } from './testing/day-in-a-shop.ts';
import { giveVoucher } from './testing/lost-responses.ts';

const inBrowser = executable ? test : test.skip;
const coffee = `/shop/${stores.coffee.id}`;

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
const undo = (page: Page): Promise<void> => clickButton(page, '.announced', 'Undo');

/** Types into the field that searches, in place of what is there. */
async function search(page: Page, text: string): Promise<void> {
  await page.waitForSelector('#main input[type="search"]');
  await page.$eval('#main input[type="search"]', (field) => (field as unknown as { select(): void }).select());
  await page.type('#main input[type="search"]', text);
}

inBrowser(
  'the menu: an item is found, sold out by one press for customers too, and undone; units are counted; orders are paused',
  async () => {
    const { page, errors } = await running().open('cy', `${coffee}/menu`);
    const croissant = '[data-item="croissant"]';
    await search(page, 'CROIS');
    await page.waitForFunction('document.querySelectorAll("[data-item]").length === 1');
    const isSoldOut = async () => (await phone.menu()).find(({ id }) => id === 'croissant')?.sold_out;
    await clickButton(page, croissant, 'Sold out until closing');
    await untilText(page, croissant, 'by Cy');
    expect(await isSoldOut()).toBe(true);
    await undo(page);
    await untilText(page, croissant, 'On sale.');
    expect(await isSoldOut()).toBe(false);

    await page.type(`${croissant} input`, '3');
    await page.keyboard.press('Enter');
    await untilText(page, croissant, '3 units left');
    await undo(page);
    await untilText(page, croissant, 'On sale.');

    await clickButton(page, '.moment', 'Pause 20 min');
    await untilText(page, '.moment', 'Orders are paused until');
    await goTo(page, `${running().url}${coffee}/orders`);
    await untilText(page, '.moment', 'by Cy');
    await clickButton(page, '.moment', 'Take orders');
    await untilText(page, '.moment', 'The store takes orders.');
    await goTo(page, `${running().url}${coffee}/log?of=menu`);
    await untilText(page, '.log-list', 'Croissant');
    expect(errors).toEqual([]);
  },
);

inBrowser('orders: one is found by its code among those of the history; a hand-over is undone; a status is corrected', async () => {
  const { order_id } = await phone.order();
  const { page, errors } = await running().open('bo', `${coffee}/orders`);
  for (const [button, from] of [
    ['Start', 'accepted'],
    ['Ready', 'preparing'],
    ['Collected', 'ready'],
  ] as const)
    await clickButton(page, card(from, order_id), button);
  await page.waitForSelector(card('collected', order_id));
  await untilText(page, '.announced', 'is handed over.');
  await undo(page);
  await page.waitForSelector(card('ready', order_id));
  await untilText(page, '.announced', 'is ready again.');
  expect(await phone.mine(order_id)).toMatchObject({ fulfilment_status: 'ready' });

  await clickButton(page, card('ready', order_id), 'Collected');
  await page.waitForSelector(card('collected', order_id));
  const { collection_code } = await phone.mine(order_id);
  const found = `.found-orders [data-order="${order_id}"]`;
  await search(page, (collection_code ?? '').toLowerCase());
  await page.waitForSelector(found);
  await clickButton(page, found, 'Details');
  await clickButton(page, 'dialog', 'Correct the status');
  await clickButton(page, 'dialog form', 'Pressed by mistake');
  await clickButton(page, 'dialog form .dialog-buttons', 'Correct');
  await until(async () => (await phone.mine(order_id)).fulfilment_status === 'ready', { describe: 'the correction' });
  await page.waitForFunction(`document.querySelectorAll('dialog').length === 1`);
  await page.keyboard.press('Escape');
  await search(page, 'No one');
  await untilText(page, '#main', 'No order was found.');
  await clickButton(page, '#main', 'Back to the board');
  await page.waitForSelector(card('ready', order_id));
  expect(errors).toEqual([]);
});

inBrowser('a line of an order is refunded, and is not offered again', async () => {
  const { order_id } = await phone.order();
  const { page, errors } = await running().open('bo', `${coffee}/orders?order=${order_id}`);
  await clickButton(page, 'dialog', 'Refund');
  await clickButton(page, 'dialog form', 'Lines');
  await clickButton(page, 'dialog form', 'It was cold');
  const croissant = await page.waitForSelector('::-p-aria([name="Croissant, of 1"][role="combobox"])');
  await croissant?.select('1');
  await clickButton(page, 'dialog form .dialog-buttons', 'Refund 1 unit');
  await untilText(page, '.announced', '£2.90 of order');
  expect(await phone.mine(order_id)).toMatchObject({ refunded_pence: 290, status: 'partially_refunded' });
  await clickButton(page, 'dialog', 'Refund');
  await clickButton(page, 'dialog form', 'Lines');
  await page.waitForFunction(`document.querySelectorAll('dialog form select').length === 1`);
  expect(errors).toEqual([]);
});

inBrowser('an order is cancelled with its refund in one step', async () => {
  const { order_id } = await phone.order();
  const { page, errors } = await running().open('bo', `${coffee}/orders?order=${order_id}`);
  await clickButton(page, 'dialog', 'Cancel order');
  await clickButton(page, 'dialog form', 'Sold out');
  await clickButton(page, 'dialog form .dialog-buttons', 'Cancel and refund £6.30');
  await untilText(page, '.announced', '£6.30');
  await page.waitForSelector(card('returned', order_id));
  expect(await phone.mine(order_id)).toMatchObject({ fulfilment_status: 'cancelled', refunded_pence: 630 });
  expect(errors).toEqual([]);
});

inBrowser(
  'customers: one is found by a name, and by a card that the camera reads; a voucher is redeemed by its code; Ctrl K finds orders and people',
  async () => {
    const { order_id } = await phone.order();
    const { collection_code } = await phone.mine(order_id);
    const { page, errors } = await running().open('cy', `${coffee}/customers`);
    await search(page, 'Ana');
    await page.keyboard.press('Enter');
    const found = `[data-customer="${people.ana.id}"]`;
    await page.waitForSelector(found);
    // Contact data is for managers.
    expect(await page.$eval(found, ({ textContent }) => textContent)).not.toMatch(/@|\+44/);
    await click(page, `${found} a`);
    await untilText(page, 'h1', 'Ana');
    await page.waitForSelector(`#main a[href$="order=${order_id}"]`);

    await page.evaluateOnNewDocument(`
    globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: '${people.ana.id}' }]; } };
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      setInterval(() => context.fillRect(0, 0, 9, 9), 50);
      return canvas.captureStream(20);
    };`);
    await goTo(page, `${running().url}${coffee}/customers`);
    await clickButton(page, '#main', 'Scan a card');
    await page.waitForFunction(`location.pathname.endsWith('/customers/${people.ana.id}')`);

    await giveVoucher(running().environment.system.databaseUrl);
    await goTo(page, `${running().url}${coffee}/customers`);
    await page.type('.code-form input', '7k2m-9qxr 4d');
    await page.keyboard.press('Enter');
    await clickButton(page, 'dialog', 'Redeem');
    await untilText(page, '#main', 'The code for the till is');
    await goTo(page, `${running().url}${coffee}/log?of=cards`);
    await untilText(page, '.log-list', 'Ana used a voucher');

    const palette = async (text: string, choice: string) => {
      await page.keyboard.down('Control');
      await page.keyboard.press('k');
      await page.keyboard.up('Control');
      await page.type('dialog [role="combobox"]', text);
      await untilText(page, 'dialog [role="listbox"]', choice);
    };
    await palette(collection_code ?? '', `${collection_code} · `);
    await page.keyboard.press('Enter');
    await untilText(page, 'dialog .order-code', collection_code ?? '');
    await page.keyboard.press('Escape');
    await palette('Ana', `${collection_code} · `);
    // “Ana” finds her order, “Ana S” does not.
    await page.keyboard.type(' S');
    await page.keyboard.press('Enter');
    await untilText(page, 'h1', 'Customers');
    expect(errors).toEqual([]);
  },
);
