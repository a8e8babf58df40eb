import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WatchedPage } from '../testing/open-browser.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import {
  browseConsole,
  type ConsoleInBrowser,
  clickButton,
  executable,
  goTo,
  screenshots,
  untilText,
} from './testing/console-in-browser.ts';
import { handOn } from './testing/hand.ts';
import { look } from './testing/look.ts';
import { loseResponse } from './testing/lose-response.ts';
import { fingerOn, openTillStore, tabletScreen } from './testing/till-in-browser.ts';

const inBrowser = executable ? test : test.skip;

let console: ConsoleInBrowser | undefined;
let store: Awaited<ReturnType<typeof openTillStore>>;
let watched: WatchedPage;

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  store = await openTillStore(console.environment);
  watched = await console.open('bo', `/shop/${store.id}/orders`);
  await watched.page.setViewport(tabletScreen);
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

async function open() {
  const { page, errors } = watched;
  await page.setViewport(tabletScreen);
  await goTo(page, `${console?.url}/shop/${store.id}/sell`);
  const type = async (field: string, text: string) => {
    await page.waitForSelector(field);
    await page.type(field, text);
  };
  return { page, errors, type, finger: fingerOn(page) };
}

inBrowser('a barista serves twenty people on a tablet without a scroll, and the drawer has what their cash and change leave', async () => {
  const { page, errors, type, finger } = await open();
  const { tap } = finger;
  await tap('.sell-head', 'Drawer');
  await type('dialog input', '100');
  await clickButton(page, 'dialog', 'Open the drawer');
  await untilText(page, 'dialog', 'Should be in it');
  await page.keyboard.press('Escape');

  const sold = async (text: string) => untilText(page, '.sell-result', text);
  const oatCoffee = async (name: string) => {
    const before = finger.taps;
    await tap('.sell-items', name);
    await tap('.sell-choices', 'Oat milk');
    await tap('.sell-foot', 'Add');
    expect(finger.taps - before).toBe(3);
  };
  const before = finger.taps;
  for (let n = 0; n < 20; n += 1) {
    if (n > 0) await tap('.sell-groups', 'Coffee');
    await oatCoffee(['Flat white', 'Latte', 'Cappuccino', 'Mocha'][n % 4] ?? '');
    if (n % 4 === 1) {
      await tap('.sell-groups', 'Food');
      await tap('.sell-items', 'Croissant');
      await tap('.sell-basket', n % 8 === 1 ? 'Eat in' : 'Take away');
    }
    await tap('.sell-basket', 'Pay');
    if (n % 5 === 4) {
      await type('.sell-pay form:not(.sell-form) input[maxlength="64"]', `47${n}`);
      await tap('.sell-pay', 'Take card');
      await sold('sold');
    } else if (n % 5 === 3) {
      await type('.sell-pay .sell-form input', '2');
      await tap('.sell-pay', 'Take cash');
      await tap('.sell-pay', 'Exactly');
      await sold('sold');
    } else {
      await tap('.sell-pay', '£10.00');
      await sold('Change £');
    }
    const number = n + 1;
    await until(async () => (await store.sales()).length === number, { describe: `sale ${number}` });
  }
  expect((finger.taps - before) / 20).toBeLessThan(8);
  expect(
    await page.evaluate(
      '[scrollY, ...[...document.querySelectorAll("#main, .sell *")].map(({ scrollTop }) => scrollTop)].every((top) => top === 0)',
    ),
  ).toBe(true);

  const sales = await store.sales();
  expect(sales.reduce((sum, { total_pence }) => sum + total_pence, 0)).toBe(20 * 360 + 5 * 290);
  const inCash = sales.flatMap(({ tenders = [] }) => tenders).filter(({ kind }) => kind === 'cash');
  expect(await store.drawer()).toMatchObject({ expected_pence: 10_000 + inCash.reduce((sum, { amount_pence }) => sum + amount_pence, 0) });
  expect(sales.filter(({ eat_in }) => eat_in)).toHaveLength(3);
  await page.screenshot({ path: `${screenshots}/console-sell-tablet.png` });
  await tap('.sell-head', 'Last sales');
  await page.waitForFunction(`document.querySelectorAll('.sell-sales li').length === 10`);
  expect(await page.$$eval('.sell-sales a', (links) => links.every((link) => link.getAttribute('href')?.includes('?order=')))).toBe(true);
  await page.keyboard.press('Escape');
  expect(errors).toEqual([]);
});

inBrowser(
  'by the keyboard alone: a customer is scanned, a sale stays open at a table, is paid later in parts, and the drawer is counted',
  async () => {
    const { page, errors } = await open();
    const hand = handOn(page);
    await hand.press('Food');
    await hand.press('Brownie');
    // A scanner types faster than this test could: all its keys come in one task.
    await page.evaluate(`for (const key of [...'CARD-OF-NO-ONE', 'Enter'])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));`);
    await page.waitForFunction(`document.querySelector('.sell-basket input').value === 'CARD-OF-NO-ONE'`);
    await hand.press('Take away');
    await hand.press('Pay £2.90');
    await hand.press('Exactly £2.90');
    await untilText(page, '.sell-basket [role="alert"]', 'the store knows no customer by this');
    await hand.fill('Customer', '');
    await page.$eval('.sell-basket input', (field) => (field as unknown as { select(): void }).select());
    await page.keyboard.press('Backspace');
    await hand.press('Pay £2.90');
    await hand.press('Take back £2.90');
    await hand.fill('Table', '4');
    await hand.press('Leave open');
    await untilText(page, '.sell-result', 'is open');
    await page.waitForFunction(`document.querySelector('.sell-head .count:last-of-type')`);
    await hand.press('Open');
    await hand.press('Pay');
    await untilText(page, '.sell-pay h2', '£2.90 to pay');
    await hand.fill('Given', '1');
    await hand.press('Take cash');
    await untilText(page, '.sell-pay h2', '£1.90 to pay');
    await hand.fill('Number of the slip', '4711');
    await hand.press('Take card');
    await untilText(page, '.sell-result', 'sold');
    const [last] = await store.sales();
    expect(last).toMatchObject({
      table_number: '4',
      eat_in: true,
      tenders: [
        { kind: 'cash', amount_pence: 100 },
        { kind: 'external_card', reference: '4711' },
      ],
    });

    const drawer = await store.drawer();
    const expected = drawer && drawer.closed_at === null ? drawer.expected_pence : null;
    await hand.press('Drawer');
    if (expected === null) {
      await hand.fill('Cash in it', '50');
      await hand.press('Open the drawer');
    }
    await hand.fill('Amount', '4.50');
    await hand.fill('What for', 'Milk');
    await hand.press('Take out');
    await untilText(page, '.announced', '£4.50 was taken out of the drawer.');
    await hand.fill('Counted', '0');
    await hand.press('Close the drawer');
    await untilText(page, '.announced', 'less than expected.');
    expect(errors.filter((error) => !error.includes('404 (Not Found)'))).toEqual([]);
  },
);

inBrowser(
  'cash sales go on while the line is down, are sent in order when it is back, and what was sold out meanwhile is said',
  async () => {
    const { page, errors, finger } = await open();
    const { tap } = finger;
    const before = (await store.sales()).length;
    const offline = (is: boolean) => page.setOfflineMode(is);
    const sellCake = async () => {
      await tap('.sell-groups', 'Food');
      await tap('.sell-items', 'Last cake');
      await tap('.sell-basket', 'Take away');
      await tap('.sell-basket', 'Pay');
      await tap('.sell-pay', 'Exactly');
    };
    await offline(true);
    await sellCake();
    await untilText(page, '.sell-notices', '1 sale in cash waits for the line: £');
    await sellCake();
    await untilText(page, '.sell-notices', '2 sales in cash wait for the line: £');
    await store.client.POST('/api/v1/orders/at-counter', {
      body: { store_id: store.id, items: [{ menu_item_id: 'last-cake', quantity: 1 }], tenders: [{ kind: 'cash' }] },
    });
    expect(await store.sales()).toHaveLength(before + 1);
    await offline(false);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await until(async () => (await store.sales()).length === before + 3, { describe: 'both sales' });
    await untilText(page, '.sell-notices', '1 Last cake more than was left');
    await clickButton(page, '.sell-notices', 'Have read');
    const [second, first] = await store.sales();
    for (const sale of [first, second])
      expect(sale?.offline?.differences).toMatchObject([{ why: 'sold_out', name: 'Last cake', quantity: 1 }]);
    expect(Date.parse(first?.offline?.sold_at ?? '')).toBeLessThan(Date.parse(second?.offline?.sold_at ?? ''));
    expect(errors.filter((error) => !/ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(error))).toEqual([]);
  },
);

inBrowser('a sale by card whose response was lost waits with its key and is sent again as it was: it is one sale', async () => {
  const { page, type, finger } = await open();
  const { tap } = finger;
  const before = (await store.sales()).length;
  await tap('.sell-groups', 'Cold');
  await tap('.sell-items', 'Water');
  await tap('.sell-basket', 'Pay');
  await type('.sell-pay form:not(.sell-form) input[maxlength="64"]', '9911');
  const { lost } = await loseResponse(page, 'POST', /at-counter$/);
  await tap('.sell-pay', 'Take card');
  await lost;
  await untilText(page, '.sell-result', 'sent when the line is back');
  await page.waitForFunction(`document.querySelector('.sell-notices').textContent === ''`);
  expect(await store.sales()).toHaveLength(before + 1);
});

inBrowser('the till can be used by everyone, on every screen, in light and in dark', async () => {
  const { page } = await open();
  // Changing between touch and no touch reloads the page.
  const still = { width: tabletScreen.width, height: tabletScreen.height };
  const faults = await look(page, 'sell');
  await page.setViewport(still);
  await clickButton(page, '.sell-items', 'Flat white');
  faults.push(...(await look(page, 'sell-choices')));
  await page.setViewport(still);
  await clickButton(page, '.sell-choices', 'Oat milk');
  await clickButton(page, '.sell-foot', 'Add');
  await clickButton(page, '.sell-basket', 'Pay');
  faults.push(...(await look(page, 'sell-pay')));
  await page.setViewport(still);
  await clickButton(page, '.sell-head', 'Drawer');
  faults.push(...(await look(page, 'sell-drawer')));
  expect(faults).toEqual([]);
});
