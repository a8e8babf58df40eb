import { picturesPath } from '@corner/contracts';
import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { loseResponse } from '../console/testing/lose-response.ts';
import { click } from '../testing/open-browser.ts';
import { onDatabase } from '../testing/settled.ts';
import { counterOf, customerIdOf } from './testing/customers.ts';
import { lookAtPhone } from './testing/look-at-phone.ts';
import { customerOf, orderOne, staffOf } from './testing/order-on-phone.ts';
import { executable, press, type ShopInBrowser, startShopInBrowser, untilText } from './testing/shop-in-browser.ts';

const inBrowser = executable ? test : test.skip;
/** What a first visit to a menu may load besides pictures, so that it is readable within two seconds on a slow network: see docs/measurements.md. */
const firstLoadBytes = 50_000;

let running: ShopInBrowser | undefined;
beforeAll(async () => {
  if (executable) running = await startShopInBrowser();
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
});

const shop = (): ShopInBrowser => running as ShopInBrowser;
const openMenu = async (language: 'en' | 'fr' = 'en') => {
  const phone = await shop().newPhone(language);
  const watched = await phone.open('/s/S1');
  await watched.page.waitForSelector('.menu-item');
  return { phone, ...watched };
};

const untilPaying = (page: Page): Promise<unknown> => page.waitForFunction(`location.pathname.includes('/pay/')`);
const ordersOf = async (page: Page) => (await (await customerOf(page, shop().environment)).GET('/api/v1/orders/mine')).data.orders;

const untilTimes = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    `[...document.querySelectorAll('label')].some((one) => one.textContent.startsWith('At a time') && one.control.matches(':enabled'))`,
  );

async function holdTimes(page: Page) {
  const held: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/slots')) held.push(request);
    else void request.continue();
  });
  return {
    untilHeld: () => until(() => held.length > 0, { describe: 'the page asks for the times' }),
    letGo: () => Promise.all(held.splice(0).map((request) => request.continue())),
    reply: (slots: readonly unknown[]) =>
      Promise.all(held.splice(0).map((request) => request.respond({ contentType: 'application/json', body: JSON.stringify({ slots }) }))),
  };
}

describe('menu and basket', () => {
  for (const language of ['en', 'fr'] as const)
    inBrowser(
      `break no rule of axe and fit a narrow screen and large text, in ${language}; nothing of another origin is asked for`,
      async () => {
        const { page, foreign, errors } = await openMenu(language);
        // Pictures on the screen are loaded, and one that cannot be shown is removed.
        await page.waitForFunction('document.querySelector(".menu-item img").naturalWidth > 0');
        expect(await page.$$eval('.menu-item', (items) => items.filter((item) => !item.querySelector('img')).length)).toBe(0);
        const faults = await lookAtPhone(page, `menu-${language}`);
        await press(page, 'Flat white');
        await page.waitForSelector('dialog[open]');
        faults.push(...(await lookAtPhone(page, `item-${language}`)));
        await click(page, 'dialog [type="submit"]');
        await page.waitForSelector('dialog', { hidden: true });
        await click(page, '.basket-link');
        await page.waitForSelector('.basket-line');
        await page.$$eval('details', (all) => {
          for (const folded of all) folded.open = true;
        });
        faults.push(...(await lookAtPhone(page, `basket-${language}`)));
        expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
      },
    );

  inBrowser('an order is placed with the keyboard alone, as a guest who is made by it', async () => {
    const { page } = await openMenu();
    const tabTo = async (selector: string) => {
      await page.waitForSelector(selector);
      for (let presses = 0; !(await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)); presses += 1) {
        expect(presses).toBeLessThan(60);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await tabTo('.menu-item');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForFunction(`document.activeElement.matches('.menu-item')`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await page.evaluate(`document.querySelector('dialog').requestClose(); document.querySelector('.menu-item').click()`);
    await tabTo('dialog [type="submit"]');
    await tabTo('.basket-link');
    expect(await page.evaluate(() => localStorage.getItem('corner.session'))).toBeNull();
    await tabTo('.page-foot .button.main');
    await untilPaying(page);
    expect(await ordersOf(page)).toMatchObject([{ status: 'pending_payment', total_pence: 240 }]);
  });

  inBrowser('a lost reply, two presses and the way back are one order', async () => {
    const { page } = await openMenu();
    await orderOne(page, 'Croissant');
    const { lost } = await loseResponse(page, 'POST', /\/api\/v1\/orders$/);
    await page.evaluate(
      `document.querySelector('.page-foot .button.main').click(); document.querySelector('.page-foot .button.main').click();`,
    );
    await lost;
    await untilPaying(page);
    const path = new URL(page.url()).pathname;
    await page.goBack();
    await page.waitForSelector('.basket-line');
    await click(page, '.page-foot .button.main');
    await untilPaying(page);
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await ordersOf(page)).toHaveLength(1);
  });

  inBrowser('a promo code shows its total before the order; another basket orders once the open order is cancelled', async () => {
    const { page } = await openMenu();
    await orderOne(page, 'Croissant');
    await click(page, 'summary');
    await page.type('input[maxlength="64"]', 'WELCOME10');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.waitForNetworkIdle({ idleTime: 200, concurrency: 2 });
    expect(await page.$eval('input[maxlength="64"]', ({ value }) => value)).toBe('WELCOME10');
    await press(page, 'Order for £2.90');
    await untilText(page, 'you pay £2.61 instead of £2.90', 'dialog');
    expect(await ordersOf(page)).toEqual([]);
    await press(page, 'Order for £2.61');
    await untilPaying(page);
    await page.goBack();
    await page.waitForSelector('.basket-line');
    await press(page, '+');
    await press(page, 'Order for £5.80');
    await press(page, 'Cancel it and order this');
    await press(page, 'Order for £5.22');
    await untilPaying(page);
    expect((await ordersOf(page)).map(({ status, total_pence }) => [status, total_pence])).toEqual([
      ['pending_payment', 522],
      ['cancelled', 261],
    ]);
  });

  inBrowser('at a store with a pace the time is shown before the order, and the page asks when it has become later', async () => {
    const { environment } = shop();
    const setPace = (pace: object | null) =>
      onDatabase(environment, async (client) => {
        await client.query(`update orders.store set pace = $1 where code = 'S1'`, [pace && JSON.stringify(pace)]);
      });
    await setPace({ minutes: 15, max_items: 1 });
    try {
      const { page } = await openMenu();
      await orderOne(page, 'Croissant');
      await press(page, '+');
      await press(page, 'Order for £5.80');
      await untilText(page, 'Your order is ready at about', 'dialog');
      expect(await lookAtPhone(page, 'basket-later')).toEqual([]);
      await click(page, 'dialog .button.main');
      await untilPaying(page);
      const [order] = await ordersOf(page);
      expect(Date.parse(order?.requested_collection_at ?? '')).toBeGreaterThan(Date.now());
      const { page: next } = await openMenu('fr');
      await orderOne(next, 'Croissant');
      await untilText(next, 'vers ', '.basket-part');
      expect(await lookAtPhone(next, 'basket-paced')).toEqual([]);
    } finally {
      await setPace(null);
    }
  });

  inBrowser('a voucher and a later time are chosen in the basket: the store names the total, and the order is of them', async () => {
    const { page } = await openMenu();
    const counter = await counterOf(shop().environment, shop().url);
    await page.goto(`${shop().url}/s/S1/me`);
    await (await page.waitForSelector('input[autocomplete="name"]'))?.type('Vera');
    await press(page, 'Save');
    await untilText(page, 'Saved.');
    await counter.grantStamps(await customerIdOf(page), 5);
    await press(page, 'Menu');
    await orderOne(page, 'Flat white');
    await click(page, 'summary');
    await untilText(page, 'A coffee on us', '.extras');
    await press(page, 'A coffee on us');
    await untilTimes(page);
    await press(page, 'At a time that you choose');
    await page.waitForSelector('select');
    const from = await page.$eval('select', (select) => {
      select.selectedIndex = select.options.length - 1;
      select.dispatchEvent(new Event('change', { bubbles: true }));
      return select.selectedOptions[0]?.text.slice(0, 5) ?? '';
    });
    expect(await lookAtPhone(page, 'basket-slot-voucher')).toEqual([]);
    await press(page, 'Order for £3.40');
    await untilText(page, 'instead of £3.40', 'dialog');
    await press(page, 'Order for £0.00');
    await page.waitForFunction(`location.pathname.startsWith('/orders/')`);
    await untilText(page, from, '.order-hint');
    const [order] = await ordersOf(page);
    expect(order).toMatchObject({ total_pence: 0, discount_pence: 340, collection_mode: 'scheduled' });
  });

  inBrowser(
    'the times have their room before they are there: what is below stays where it is, also when the chosen one is gone',
    async () => {
      const { page } = await openMenu();
      const times = await holdTimes(page);
      const lineBelow = () => page.evaluate(`document.querySelector('summary').getBoundingClientRect().top + scrollY`);
      await orderOne(page, 'Croissant');
      await times.untilHeld();
      const before = await lineBelow();
      await times.letGo();
      await untilTimes(page);
      expect(await lineBelow()).toBe(before);

      await press(page, 'At a time that you choose');
      await page.waitForSelector('select');
      const open = async () => {
        await page.reload();
        await page.waitForSelector('select:disabled');
        await times.untilHeld();
        return await lineBelow();
      };
      const withChosen = await open();
      await times.letGo();
      await page.waitForSelector('select:enabled');
      expect(await lineBelow()).toBe(withChosen);

      expect(await open()).toBe(withChosen);
      await times.reply([]);
      await untilText(page, 'The time that you chose is no longer free.', '[role="status"]');
      expect(await page.$eval('fieldset', (field) => field.innerText)).toContain('No times are left to choose');
      expect(await lineBelow()).toBe(withChosen);
      expect(await lookAtPhone(page, 'basket-no-times')).toEqual([]);
    },
  );

  inBrowser('what sells out while it is in the basket is marked at once, in another tab too, and must be removed', async () => {
    const { phone, page } = await openMenu();
    await orderOne(page, 'Hot chocolate');
    const other = (await phone.open('/s/S1/basket')).page;
    await other.waitForSelector('.basket-line');
    const { client } = await staffOf(shop().environment);
    const params = { path: { store_id: stores.coffee.id, menu_item_id: 'hot-chocolate' } };
    const sell = (sold_out: 'until_changed' | 'no') =>
      client.PATCH('/api/v1/orders/stores/{store_id}/menu/{menu_item_id}', { params, body: { sold_out } });
    await sell('until_changed');
    for (const tab of [page, other]) {
      await tab.bringToFront();
      await untilText(tab, 'Sold out. Remove it to order.', '.basket-line');
      expect(await tab.$('.page-foot .button.main:disabled')).not.toBeNull();
    }
    await sell('no');
    await press(other, 'Remove');
    await untilText(other, 'Your basket is empty.');
    await page.bringToFront();
    await untilText(page, 'Your basket is empty.');
  });

  inBrowser(
    'the menu is readable by what its document asks for, in two round trips: nothing that a script asks for is needed',
    async () => {
      const phone = await shop().newPhone();
      const { page } = await phone.open('/nothing');
      const held: string[] = [];
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (request.initiator()?.type === 'script') held.push(new URL(request.url()).pathname);
        else void request.continue();
      });
      await page.goto(`${shop().url}/s/S1`, { waitUntil: 'domcontentloaded' });
      await page.waitForSelector('.menu-item');
      expect(await page.$$('#root > svg')).toEqual([]);
      await until(() => held.some((path) => path.endsWith('/menu')), { describe: 'the menu is followed' });
    },
  );

  inBrowser('the first visit loads at most 50 kB, and the next one needs no connection', async () => {
    const phone = await shop().newPhone();
    const { page } = await phone.open('/nothing');
    const network = await page.createCDPSession();
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    const counted = new Set<string>();
    network.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (!request.url.includes(picturesPath)) counted.add(requestId);
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (counted.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(`${shop().url}/s/S1`, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('.menu-item');
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(firstLoadBytes);
    await page.waitForFunction('navigator.serviceWorker.ready.then(({ active }) => active?.state === "activated")');
    await page.setOfflineMode(true);
    await page.reload({ waitUntil: 'load' });
    await page.waitForSelector('.menu-item');
    await untilText(page, 'No connection. This is what was here last.');
  });
});
