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
const party = (column: string, name: string): string => `[data-column="${column}"] [aria-label="${name}"]`;
const undo = (page: Page): Promise<void> => clickButton(page, '.announced', 'Undo');

inBrowser(
  'the queue: a walk-in is added with a chair, completed, and brought back by the undo and by the list; walk-ins are switched off and on',
  async () => {
    const { page, errors } = await running().open('bo', `${cuts}/queue`);
    await clickButton(page, '#main', 'Add a walk-in');
    await page.type('dialog input', 'Fay');
    const chair = await page.waitForSelector('::-p-aria([name="Chair"][role="combobox"])');
    await chair?.select((await chair.$eval('option:last-child', (last) => last.getAttribute('value'))) ?? '');
    await clickButton(page, 'dialog', 'Add to the queue');
    await untilText(page, party('waiting', 'Fay'), 'asked for');
    await untilText(page, party('waiting', 'Fay'), 'by Bo');

    await clickButton(page, party('waiting', 'Fay'), 'Assign ');
    await clickButton(page, party('assigned', 'Fay'), 'Complete');
    await untilText(page, '.announced', 'Fay is completed.');
    await undo(page);
    await page.waitForSelector(party('assigned', 'Fay'));
    await untilText(page, '.announced', 'Fay is back.');

    await clickButton(page, '#main', 'Add a walk-in');
    await page.type('dialog input', 'Gil');
    await clickButton(page, 'dialog', 'Add to the queue');
    await clickButton(page, party('waiting', 'Gil'), 'Call');
    await clickButton(page, party('called', 'Gil'), 'No-show');
    await untilText(page, '#main .log-list', 'Gil was marked as a no-show');
    await page.reload({ waitUntil: 'load' });
    await clickButton(page, '#main .log-list', 'Bring back');
    await page.waitForSelector(party('called', 'Gil'));

    await clickButton(page, '.moment', 'Off until closing');
    await untilText(page, '.moment', 'switched off until');
    await untilText(page, '.announced', 'Walk-ins are switched off.');
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await untilText(page, '.moment', 'Walk-ins can join.');

    await clickButton(page, party('called', 'Gil'), 'Take off the queue');
    await untilText(page, 'dialog', 'Corner makes no booking');
    await clickButton(page, 'dialog', 'Take off the queue');
    await page.waitForFunction(`!document.querySelector(${JSON.stringify(party('called', 'Gil'))})`);
    await clickButton(page, party('assigned', 'Fay'), 'Complete');
    await goTo(page, `${running().url}${cuts}/log`);
    await untilText(page, '.log-list', 'Walk-ins were switched off');
    expect(errors).toEqual([]);
  },
);

inBrowser('a customer in the queue has a name, which leads to their page and from an order as well', async () => {
  const { entry_id } = await phone.joinAsAna();
  const { page } = await running().open('bo', `${cuts}/queue`);
  await click(page, `${party('waiting', 'Ana')} a`);
  await untilText(page, 'h1', 'Ana');
  await phone.leave(entry_id);

  const { order_id } = await phone.order();
  await goTo(page, `${running().url}${coffee}/orders?order=${order_id}`);
  await page.waitForSelector('dialog .log-list');
  await click(page, 'dialog .order-dialog-head a');
  await page.waitForFunction(`location.pathname.includes('/customers/')`);
});

inBrowser('printers are added and removed, one that is away is said on the board, and a browser prints each new order once', async () => {
  const { page, errors } = await running().open('bo', `${coffee}/printers`);
  await page.evaluateOnNewDocument(`
    globalThis.tickets = JSON.parse(sessionStorage.getItem('tickets') ?? '[]');
    globalThis.print = () => {
      tickets.push(document.querySelector('.ticket').innerText);
      sessionStorage.setItem('tickets', JSON.stringify(tickets));
    };`);
  await clickButton(page, '#main', 'Add a printer');
  await page.type('dialog input', 'Kitchen');
  await clickButton(page, 'dialog', 'Add');
  await untilText(page, '#main .notice', '/printers/');
  await untilText(page, '[data-printer]', 'not seen yet');
  await click(page, '[role="switch"]');

  await goTo(page, `${running().url}${coffee}/orders`);
  await untilText(page, '#main .notice', 'Kitchen has not asked for a ticket yet.');
  const { order_id, order_number } = await phone.order();
  await page.waitForSelector(card('accepted', order_id));
  await page.waitForFunction('tickets.length === 1');
  const paper = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [page80, ...more] = [...paper.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map(Number),
  );
  expect([more, Math.round(page80?.[0] ?? 0)]).toEqual([[], 227]);
  expect(page80?.[1]).toBeLessThan(300);
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector(card('accepted', order_id));
  await clickButton(page, card('accepted', order_id), 'Details');
  await clickButton(page, 'dialog', 'Print here');
  await page.waitForFunction('tickets.length === 2');
  expect(await page.evaluate('tickets[0] === tickets[1] && tickets[0]')).toContain(order_number);
  await clickButton(page, 'dialog', 'Print again');
  await untilText(page, '.announced', '1 printer will print the ticket again.');

  await goTo(page, `${running().url}${coffee}/printers`);
  await click(page, '[role="switch"]');
  await clickButton(page, '[data-printer]', 'Remove');
  await clickButton(page, 'dialog', 'Remove');
  await untilText(page, '#main', 'No printer yet.');
  expect(errors).toEqual([]);
});

inBrowser('staff see neither takings nor contact data', async () => {
  const { page } = await running().open('cy', `${coffee}/orders`);
  expect(await page.$$eval('.side a', (links) => links.map(({ textContent }) => textContent))).not.toContain('Money');
  await goTo(page, `${running().url}${coffee}/money`);
  await untilText(page, '#main', 'It is for managers and owners of the store.');
  await goTo(page, `${running().url}${coffee}/printers`);
  await untilText(page, '#main', 'No printer yet.');
  expect(await page.$$('#main button')).toEqual([]);
});

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
    await untilText(page, croissant, 'on sale');
    expect(await isSoldOut()).toBe(false);

    await page.type(`${croissant} input`, '3');
    await page.keyboard.press('Enter');
    await untilText(page, croissant, '3 units left');
    await undo(page);
    await page.waitForFunction(`!document.querySelector(${JSON.stringify(croissant)}).textContent.includes('3 units left')`);

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

inBrowser('a line of an order is refunded by three presses, the last of which names the sum, and is not offered again', async () => {
  const { order_id } = await phone.order();
  const { page, errors } = await running().open('bo', `${coffee}/orders?order=${order_id}`);
  await clickButton(page, 'dialog', 'Refund');
  await clickButton(page, 'dialog form', 'Croissant, £2.90');
  await clickButton(page, 'dialog form .dialog-buttons', 'Refund £2.90');
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
    await page.keyboard.type(' S');
    await page.keyboard.press('Enter');
    await untilText(page, 'h1', 'Customers');
    expect(errors).toEqual([]);
  },
);
