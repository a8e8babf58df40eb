import { people, stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkAtRest, readBooks } from '../testing/checker.ts';
import type { WatchedPage } from '../testing/open-browser.ts';
import { type ConsoleInBrowser, executable, startConsoleInBrowser } from './testing/console-in-browser.ts';
import { type Counter, refundUnit, serve, type TakenOrder } from './testing/counter.ts';
import { customerNamed, customersOf } from './testing/customers-of-a-day.ts';
import { type Phone, peopleOf } from './testing/day-in-a-shop.ts';
import { orderLog, shownSums, storeLogs, sumsOf, unitsLeft } from './testing/end-of-day.ts';
import { lookAtAll } from './testing/look.ts';
import { beansSold, logOf, waves } from './testing/orders-of-a-day.ts';
import { openTablet } from './testing/tablet.ts';

const inBrowser = executable ? test : test.skip;
const coffee = `/shop/${stores.coffee.id}`;
const cuts = `/shop/${stores.cuts.id}`;

let console: ConsoleInBrowser | undefined;
let phone: Phone;

beforeAll(async () => {
  if (!executable) return;
  console = await startConsoleInBrowser();
  phone = await peopleOf(console.environment);
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;

inBrowser('one person with a tablet runs a day of two shops, and at its end logs, money and stock agree with what was done', async () => {
  const { environment } = running();
  const counter: Counter = {
    tablet: await openTablet(running(), 'bo', `${coffee}/orders`),
    customers: customersOf(environment),
  };
  const { tablet } = counter;
  const beansBefore = await unitsLeft(phone.owner, 'beans-250g');

  const taken = [...(await serve(counter, waves.morning))];
  await sellOutCroissants(counter);
  await pauseOrders(counter);
  taken.push(...(await serve(counter, waves.noon)));
  taken.push(...(await serve(counter, waves.afternoon)));
  await refundUnit(counter, taken.find(({ story }) => story === 'a bag returned') as TakenOrder, 'House beans, 250 g', 2);
  await redeemVoucher(counter);
  await seatWalkIn(counter);

  await readLogs(counter);
  await tablet.goTo('Money');
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  expect(await shownSums(tablet.page)).toEqual(sumsOf(await readBooks(environment.system)));

  const logs = await Promise.all(taken.map(async ({ id, number, story }) => ({ number, story, log: await orderLog(phone.owner, id) })));
  expect(logs).toEqual(taken.map(({ number, story }) => ({ number, story, log: logOf[story] })));
  expect(await storeLogs(phone.owner)).toEqual({
    menu: ['Croissant was marked as sold out by Bo', 'Orders were paused by Bo', 'The pause of orders was ended by Bo'],
    cards: ['Ana used a voucher: A coffee on us by Bo'],
    queue: ['Hal was added to the queue by Bo', 'Hal was called by Bo', 'Hal was given a chair by Bo', 'Hal was served by Bo'],
  });
  expect(await unitsLeft(phone.owner, 'beans-250g')).toBe(Number(beansBefore) - beansSold);
  expect({ foreign: tablet.foreign, errors: tablet.errors }).toEqual({ foreign: [], errors: [] });
});

async function sellOutCroissants({ tablet, customers }: Counter): Promise<void> {
  await tablet.goTo('Menu');
  await tablet.fill('#main input[type="search"]', 'crois');
  await tablet.tap('[data-item="croissant"]', 'Sold out until closing');
  await tablet.see('[data-item="croissant"]', 'by Bo');
  expect(await customers.refusalOf('Eli', { espresso: 1, croissant: 1 })).toMatchObject({
    code: 'OUT_OF_STOCK',
    message: expect.stringContaining('Croissant'),
  });
}

async function pauseOrders({ tablet, customers }: Counter): Promise<void> {
  await tablet.goTo('Orders');
  await tablet.tap('.moment', 'Pause 10 min');
  await tablet.see('.moment', 'Orders are paused until');
  expect(await customers.refusalOf('Mia', { espresso: 1 })).toMatchObject({ code: 'STORE_NOT_ACCEPTING_ORDERS' });
  await tablet.tap('.moment', 'Take orders');
  await tablet.see('.moment', 'The store takes orders.');
}

async function redeemVoucher({ tablet }: Counter): Promise<void> {
  const { phone = '' } = customerNamed('Ana');
  await tablet.goTo('Customers');
  await tablet.fill('#main input[type="search"]', phone.slice(-4));
  await tablet.tap('#main search', 'Find');
  await tablet.see('#main .card', '0 of 5 stamps');
  await tablet.tap('#main .card', 'Ana');
  await tablet.see('#main .stamp-count', '0 of 5 stamps');
  await tablet.see('#main', 'A coffee on us');
  const code = await tablet.page.$eval('#main .card code', ({ textContent }) => textContent ?? '');
  await tablet.goTo('Customers');
  await tablet.fill('#main .code-form input', code.toLowerCase());
  await tablet.tap('#main .code-form', 'Redeem');
  await tablet.tap('dialog[open]', 'Redeem');
  await tablet.see('#main', 'The code for the till is');
}

async function seatWalkIn({ tablet }: Counter): Promise<void> {
  await tablet.chooseStore('cuts');
  await tablet.goTo('Queue');
  await tablet.tap('#main', 'Add a walk-in');
  await tablet.fill('dialog[open] input', 'Hal');
  await tablet.choose('Chair', 'Chair 2');
  await tablet.tap('dialog[open]', 'Add to the queue');
  await tablet.see('[data-column="waiting"] [aria-label="Hal"]', 'asked for Chair 2');
  for (const [button, from, to] of [
    ['Call', 'waiting', 'called'],
    ['Assign Chair 2, Gil to Hal', 'called', 'assigned'],
  ] as const) {
    await tablet.tap(`[data-column="${from}"] [aria-label="Hal"]`, button);
    await tablet.page.waitForSelector(`[data-column="${to}"] [aria-label="Hal"]`);
  }
  await tablet.tap('[data-column="assigned"] [aria-label="Hal"]', 'Complete');
  await tablet.see('.announced', 'Hal is completed.');
}

async function readLogs({ tablet }: Counter): Promise<void> {
  await tablet.goTo('Log');
  await tablet.see('.log-list', 'Hal was served by Bo');
  await tablet.chooseStore('coffee');
  await tablet.tap('.tabs', 'Cards');
  await tablet.see('.log-list', 'Ana used a voucher: A coffee on us by Bo');
  await tablet.tap('.tabs', 'Menu');
  await tablet.see('.log-list', 'The pause of orders was ended by Bo');
}

describe('after such a day, on a phone, a tablet and a desktop, light and dark', () => {
  let watched: WatchedPage;
  beforeAll(async () => {
    if (!executable) return;
    await customersOf(running().environment).order('Ana', { espresso: 1 });
    await phone.collectStamp();
    await phone.join('Eli');
    watched = await running().open('bo', `${coffee}/orders`);
  });

  // Each page is its own test, so that one that hangs is named and has its own timeout.
  const pages: readonly (readonly [name: string, path: string, dialog?: string])[] = [
    ['orders', `${coffee}/orders`, 'Details'],
    ['found-orders', `${coffee}/orders?q=Ana`],
    ['menu', `${coffee}/menu`],
    ['customers', `${coffee}/customers?q=0001`],
    ['customer', `${coffee}/customers/${people.ana.id}`],
    ['queue', `${cuts}/queue`, 'Add a walk-in'],
    ['approvals', `${cuts}/approvals`],
    ['log-queue', `${cuts}/log`],
    ['log-cards', `${coffee}/log?of=cards`],
    ['log-menu', `${coffee}/log?of=menu`],
    ['campaigns', `${coffee}/campaigns`, 'Write a campaign'],
    ['printers', `${coffee}/printers`],
    ['money', `${coffee}/money`],
    ['sandbox', '/sandbox'],
    ['inbox', '/inbox'],
  ];
  for (const [name, path, dialog] of pages)
    inBrowser(`the page ${name} is usable`, async () => {
      const { page, foreign, errors } = watched;
      const faults = await lookAtAll(page, [[name, running().url + path, dialog]]);
      expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
    });
});
