import { stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { type ConsoleInBrowser, clickButton, executable, goTo, startConsoleInBrowser, untilText } from './testing/console-in-browser.ts';
import { card, peopleOf } from './testing/day-in-a-shop.ts';

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

    await clickButton(page, party('waiting', 'Fay'), 'Assign chair');
    await clickButton(page, party('assigned', 'Fay'), 'Complete');
    await untilText(page, '.announced', 'Fay is completed.');
    await undo(page);
    await page.waitForSelector(party('assigned', 'Fay'));
    await untilText(page, '.announced', 'Fay is back.');

    // An entry is brought back once, and by another page than the one that ended it.
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
  // One page, 80 mm wide and as long as the ticket, in points.
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
