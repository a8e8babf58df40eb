import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click, type WatchedPage } from '../testing/open-browser.ts';
import { screens, violationsInBothSchemes } from '../testing/page-checks.ts';
import {
  type ConsoleInBrowser,
  clickButton,
  executable,
  goTo,
  screenshots,
  startConsoleInBrowser,
  untilText,
} from './testing/console-in-browser.ts';
import { card } from './testing/day-in-a-shop.ts';
import { type Hand, handOn } from './testing/hand.ts';
import { look } from './testing/look.ts';

const phone = { ...screens[1], hasTouch: true, isMobile: true };
const inBrowser = executable ? test : test.skip;
const menu = `Flat white 3.20
Espresso 2.40
Cappuccino 3.40
Latte 3.40
Tea 2.20
Hot chocolate 3.60
Croissant 2.80
Pain au chocolat 3.00
Banana bread 3.20
Toast and jam 3.10`;

let console: ConsoleInBrowser | undefined;
let dee: WatchedPage;
let hand: Hand;
let eve: WatchedPage;
let shop = '';
let link = '';

beforeAll(async () => {
  if (executable) console = await startConsoleInBrowser({ optional: ['directory'], directory: null });
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;
const untilPath = (page: Page, pattern: RegExp): Promise<unknown> => page.waitForFunction(`${pattern}.test(location.pathname)`);

const errorsOf = ({ errors }: WatchedPage): string[] => errors.filter((error) => !/401 .*\/api\/me$/.test(error));

async function lookAt(page: Page, name: string): Promise<string[]> {
  const faults = await look(page, name);
  await page.setViewport(screens[0]);
  return faults;
}

async function faultsOf(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    await page.setViewport(screen);
    const faults = await violationsInBothSchemes(page, (scheme) =>
      page.screenshot({ path: `${screenshots}/${name}-${screen.name}-${scheme}.png` }),
    );
    found.push(...faults.map((fault) => `${name} ${screen.name} ${fault}`));
  }
  await page.setViewport(screens[0]);
  return found;
}

inBrowser('a person signs in where no one was before, and opens a shop with four presses and eight fields', async () => {
  dee = await running().visit(running().url);
  hand = handOn(dee.page);
  await hand.press('Sign in');
  await dee.page.waitForSelector('input[type="email"]');
  expect(await faultsOf(dee.page, 'issuer')).toEqual([]);
  await hand.fill('Name', 'Dee');
  await hand.fill('E-mail', 'dee@example.com');
  await hand.press('Sign in');
  await untilPath(dee.page, /^\/open$/);
  await untilText(dee.page, 'h1', 'Open a shop');
  expect(await lookAt(dee.page, 'open')).toEqual([]);

  await hand.fill('Name', 'Dee’s Coffee');
  await hand.fill('Items and prices', menu);
  await hand.fill('From', '0000');
  await hand.fill('Until', '0000');
  await hand.press('Saturday and Sunday');
  await hand.fill('From', '0000');
  await hand.fill('Until', '0000');
  await untilText(dee.page, '.opening-preview', '10 stamps: A free Flat white');
  await hand.press('Open the shop');
  await untilPath(dee.page, /^\/shop\/[^/]+\/settings\/payments$/);
  await untilText(dee.page, '.announced', 'Dee’s Coffee is open.');
  expect([hand.presses, hand.fields]).toEqual([4, 8]);
  shop = new URL(dee.page.url()).pathname.replace('/settings/payments', '');
  expect(errorsOf(dee)).toEqual([]);
});

inBrowser('the payment account is opened on the provider’s page, and a guest orders', async () => {
  const { page } = dee;
  await untilText(page, '#main', 'No payment account');
  expect(await lookAt(page, 'payments-none')).toEqual([]);
  await hand.fill('E-mail', 'dee@example.com');
  await hand.press('Set up payments');
  await page.waitForFunction(`document.title.startsWith('Get paid')`);
  expect(await faultsOf(page, 'provider')).toEqual([]);
  await hand.fill('Business name', 'Dee’s Coffee');
  await hand.fill('Your name', 'Dee');
  await hand.fill('Bank account', 'GB33BUKB20201555555555');
  await hand.press('Finish');
  await untilText(page, '#main', 'Payments work');
  expect(await lookAt(page, 'payments')).toEqual([]);

  await goTo(page, `${running().url}/sandbox`);
  await hand.press('Order as a guest');
  await untilText(page, '#main', '£3.20, is paid.');
  await goTo(page, `${running().url}${shop}/orders`);
  await page.waitForSelector('[data-column="accepted"] [data-order]');
  expect(errorsOf(dee)).toEqual([]);
});

async function invitationIn(page: Page): Promise<string> {
  await goTo(page, `${running().url}/inbox`);
  await page.waitForFunction(
    `[...document.querySelectorAll('.mail-text')].some(({ textContent }) => textContent.includes('/invitation#'))`,
  );
  const texts = await page.$$eval('.mail-text', (mails) => mails.map(({ textContent }) => textContent));
  return texts.flatMap((text) => /\S+\/invitation#\S+/.exec(text) ?? [])[0] ?? '';
}

inBrowser('a member of staff is invited by mail, joins on a phone, and works', async () => {
  const { page } = dee;
  await goTo(page, `${running().url}${shop}/settings/people`);
  await hand.press('Invite a person');
  await hand.fill('E-mail', 'eve@example.com');
  await hand.fill('Name', 'Eve');
  await hand.press('Send the invitation');
  await untilText(page, '[data-invitation]', 'Eve');
  link = await invitationIn(page);
  expect(link).toContain(running().url);

  eve = await running().visit('about:blank');
  await eve.page.setViewport(phone);
  await eve.page.goto(link, { waitUntil: 'load' });
  await untilText(eve.page, 'h1', 'You are invited');
  // The token has left the address and is kept in the tab while the person signs in.
  expect(eve.page.url()).toBe(`${running().url}/invitation`);
  await click(eve.page, '.sign-in a');
  await eve.page.waitForSelector('input[type="email"]');
  await eve.page.type('input[name="name"]', 'Eve');
  await eve.page.type('input[name="email"]', 'eve@example.com');
  await click(eve.page, 'form:last-of-type button');
  await untilText(eve.page, '.invitation', 'You are signed in as Eve');
  expect(await look(eve.page, 'invitation')).toEqual([]);
  await eve.page.setViewport(phone);
  await eve.page.waitForSelector('.invitation button');
  await click(eve.page, '.invitation button');
  await untilPath(eve.page, /^\/shop\/[^/]+\/orders$/);
  expect(new URL(eve.page.url()).pathname).toBe(`${shop}/orders`);

  await eve.page.waitForSelector('[data-order]');
  const orderId = await eve.page.$eval('[data-order]', (order) => order.getAttribute('data-order') ?? '');
  await clickButton(eve.page, card('accepted', orderId), 'Start');
  await clickButton(eve.page, '.board-tabs', 'Preparing 1');
  await eve.page.waitForSelector(card('preparing', orderId));
  await goTo(page, `${running().url}${shop}/orders?order=${orderId}`);
  await untilText(page, 'dialog .log-list', 'by Eve');
  expect([...errorsOf(dee), ...errorsOf(eve)]).toEqual([]);
});

inBrowser('who is dismissed is out at once, and the link of the invitation is of no use again', async () => {
  const { page } = dee;
  await goTo(page, `${running().url}${shop}/settings/people`);
  await clickButton(page, '#main', 'Dismiss: Eve');
  await clickButton(page, 'dialog', 'Dismiss');
  await untilText(page, '.announced', 'Eve is dismissed.');
  const orders = `/api/v1/orders?store_id=${shop.replace('/shop/', '')}`;
  await until(async () => (await eve.page.evaluate(`fetch('${orders}').then(({ status }) => status)`)) === 403, {
    describe: 'the orders of the store to be refused',
  });
  await eve.page.reload({ waitUntil: 'load' });
  await untilText(eve.page, '#main', 'You have no role in this store.');

  await eve.page.goto(link, { waitUntil: 'load' });
  await eve.page.waitForSelector('.invitation button');
  await click(eve.page, '.invitation button');
  await untilText(eve.page, '.invitation', 'You do not work at Dee’s Coffee any more');
});
