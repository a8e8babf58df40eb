import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'puppeteer-core';
import { click, type WatchedPage } from '../testing/open-browser.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { browseConsole, type ConsoleInBrowser, clickButton, executable, goTo, screenshots } from './testing/console-in-browser.ts';
import { openOnSaturday } from './testing/saturday.ts';

const inBrowser = executable ? test : test.skip;
const minutes = 15;
const orders = 25;

let console: ConsoleInBrowser | undefined;
let watched: WatchedPage;
let board: string;

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  const { environment, url } = console;
  const store = await openOnSaturday(environment, orders);
  await spreadDueTimes(environment.system.databaseUrl, store);
  watched = await console.open('bo', `/shop/${store}/orders`);
  await watched.page.evaluateOnNewDocument(
    `{ const real = Date.now.bind(Date); globalThis.laterMs = 0; Date.now = () => real() + globalThis.laterMs; }`,
  );
  await watched.page.setViewport({ width: 1024, height: 768, hasTouch: true });
  board = `${url}/shop/${store}/orders/board`;
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

async function spreadDueTimes(databaseUrl: string, store: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `update orders.orders set accepted_at = now() - interval '10 minutes', order_type = 'collect', collection_mode = 'now',
         requested_collection_at = now() + (n * $2::float / $3) * interval '1 minute'
       from (select id, row_number() over (order by id) - 1 as n from orders.orders where store_id = $1) as placed
       where orders.id = placed.id`,
      [store, minutes, orders],
    );
  } finally {
    await client.end();
  }
}

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly isDue: boolean;
  readonly isWhole: boolean;
}

const shown = (page: Page) =>
  page.$$eval('.ticket-card', (cards) =>
    cards.map((card): Shown => {
      const { top, left, right, bottom } = card.getBoundingClientRect();
      const state = card.getAttribute('data-state') ?? '';
      return {
        id: card.getAttribute('data-order') ?? '',
        state,
        isDue: state !== 'ready' && /soon|late/.test(card.className),
        isWhole: top >= 0 && left >= 0 && right <= 1024 && bottom <= 768,
      };
    }),
  );

async function tap(page: Page, id: string): Promise<void> {
  const box = await (await page.waitForSelector(`[data-order="${id}"] [data-step]`))?.boundingBox();
  if (!box || box.x < 0 || box.y < 0 || box.x + box.width > 1024 || box.y + box.height > 768) throw new Error(`${id} is not on the screen`);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

async function moveOn(page: Page, minute: number): Promise<void> {
  const age = `document.querySelector('.ticket-age')?.textContent`;
  const before = await page.evaluate(`globalThis.laterMs = ${minute} * 60_000; ${age}`);
  if (minute > 0 && before !== undefined) await page.waitForFunction(`${age} !== ${JSON.stringify(before) ?? 'null'}`);
}

inBrowser('a quarter of an hour of a Saturday: two taps for each order, and none is beyond the screen when it must be made', async () => {
  const { page, errors } = watched;
  await goTo(page, board);
  await clickButton(page, '.kitchen-head', 'Options');
  await click(page, 'dialog[open] [role="switch"]');
  await click(page, 'dialog[open] [aria-label="Close"]');
  await page.waitForFunction(`document.querySelectorAll('.ticket-card').length === ${orders}`);
  expect(await page.$eval('.kitchen-beyond', ({ textContent }) => textContent)).toMatch(/^\d+ more, next due \d\d:\d\d$/);
  await page.screenshot({ path: `${screenshots}/console-rush-first.png` });

  let taps = 0;
  const hidden: string[] = [];
  const look = async (minute: number) => {
    const all = await shown(page);
    hidden.push(...all.filter(({ isDue, isWhole }) => isDue && !isWhole).map(({ id }) => `minute ${minute}: ${id}`));
    return all;
  };
  for (let minute = 0; minute <= minutes + 10; minute++) {
    await moveOn(page, minute);
    const before = await look(minute);
    if (minute >= 4 && minute < 12) {
      if (minute === 11) await page.screenshot({ path: `${screenshots}/console-rush-late.png` });
      continue;
    }
    for (const { id, state } of before.filter(({ state, isDue }) => isDue || state === 'ready').slice(0, 4)) {
      taps += 1;
      await tap(page, id);
      await page.waitForFunction(
        `document.querySelector('[data-order="${id}"]')?.dataset.state ${state === 'ready' ? '=== undefined' : "=== 'ready'"}`,
      );
      await look(minute);
    }
  }
  expect(hidden).toEqual([]);
  expect({ left: (await shown(page)).length, tapsPerOrder: taps / orders, errors }).toEqual({ left: 0, tapsPerOrder: 2, errors: [] });
});
