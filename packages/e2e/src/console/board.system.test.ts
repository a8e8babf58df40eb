import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click, type WatchedPage } from '../testing/open-browser.ts';
import { onDatabase } from '../testing/settled.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { browseConsole, type ConsoleInBrowser, clickButton, executable, goTo, screenshots } from './testing/console-in-browser.ts';
import { look } from './testing/look.ts';
import { names, openOnSaturday } from './testing/saturday.ts';

const inBrowser = executable ? test : test.skip;

let console: ConsoleInBrowser | undefined;
let watched: WatchedPage;
let board: string;

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  const store_id = await openOnSaturday(console.environment, 25);
  board = `/shop/${store_id}/orders/board`;
  watched = await console.open('bo', `/shop/${store_id}/orders`);
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;

const untilTickets = (page: Page, count: number) => page.waitForFunction(`document.querySelectorAll('.ticket-card').length === ${count}`);

interface Seen {
  readonly whole: number;
  readonly brokenCodes: number;
  readonly smallLines: number;
  readonly smallCodes: number;
  readonly narrow: number;
}

const seen = (page: Page) =>
  page.evaluate(`(() => {
    const cards = [...document.querySelectorAll('.ticket-card')];
    const sizeOf = (element) => (element ? Number.parseFloat(getComputedStyle(element).fontSize) : 0);
    const [code, lines] = ['.ticket-call', '.ticket-lines'].map((selector) => (card) => card.querySelector(selector));
    const rect = (card) => card.getBoundingClientRect();
    const isWhole = ({ top, left, right, bottom }) => top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight;
    const textHeight = (element) => {
      const range = document.createRange();
      range.selectNodeContents(element.lastChild);
      return range.getBoundingClientRect().height;
    };
    const isBroken = (element) => element.scrollWidth > element.clientWidth + 1 || textHeight(element) > 1.5 * sizeOf(element);
    return {
      whole: cards.filter((card) => isWhole(rect(card))).length,
      brokenCodes: cards.filter((card) => isBroken(code(card))).length,
      smallLines: cards.filter((card) => sizeOf(lines(card)) < 18).length,
      smallCodes: cards.filter((card) => sizeOf(code(card)) <= sizeOf(lines(card))).length,
      narrow: cards.filter((card) => rect(card).width < 250).length,
    };
  })()`) as Promise<Seen>;

const sizes = [
  { width: 1024, height: 768, least: 8 },
  { width: 1180, height: 820, least: 10 },
  { width: 1280, height: 800, least: 12 },
  { width: 390, height: 844, least: 4 },
] as const;

inBrowser('one press opens a board that fills the screen, and 25 orders stand on it large enough for four screens', async () => {
  const { page } = watched;
  await page.waitForSelector('#main .controls a.button');
  await click(page, '#main .controls a.button');
  await untilTickets(page, 25);
  expect(await page.$('.side, .bar')).toBeNull();
  const found = [];
  for (const { width, height } of sizes) {
    await page.setViewport({ width, height });
    await page.evaluate('scrollTo(0, 0)');
    found.push({ width, ...(await seen(page)) });
    await page.screenshot({ path: `${screenshots}/console-board-25-${width}.png` });
  }
  const sound = { brokenCodes: 0, smallLines: 0, smallCodes: 0, narrow: 0 };
  expect(found.map(({ whole: _, ...rest }) => rest)).toEqual(sizes.map(({ width }) => ({ width, ...sound })));
  expect(found.flatMap(({ width, whole }, n) => (whole < (sizes[n]?.least ?? 0) ? [`${width}: ${whole} orders`] : []))).toEqual([]);
  expect(await page.$eval('.to-make', ({ textContent }) => textContent)).toContain(`25 × ${names.chocolat}`);
});

inBrowser('a Saturday’s orders take two presses each where Start is skipped, by keys too, and several at once', async () => {
  const { page } = watched;
  await page.setViewport({ width: 1024, height: 768 });
  await goTo(page, running().url + board);
  await untilTickets(page, 25);
  await clickButton(page, '.kitchen-head', 'Options');
  await click(page, 'dialog[open] [role="switch"]');
  await click(page, 'dialog[open] [aria-label="Close"]');
  const ids = await page.$$eval('.ticket-card', (cards) => cards.map((card) => card.getAttribute('data-order') ?? ''));
  const stateOf = (id: string, state: string) => page.waitForSelector(`[data-order="${id}"][data-state="${state}"]`);
  const [first, second] = ids as [string, string];

  await click(page, `[data-order="${first}"] [data-step]`);
  await stateOf(first, 'ready');
  await click(page, `[data-order="${first}"] [data-step]`);
  await untilTickets(page, 24);

  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await stateOf(second, 'ready');
  await page.keyboard.press('Space');
  await untilTickets(page, 23);

  await clickButton(page, '.kitchen-head', 'Several');
  await clickButton(page, '.kitchen-head', 'All ready');
  await page.waitForFunction(`document.querySelectorAll('[data-state="ready"]').length === 23`);
  for (const id of ids.slice(-2)) await click(page, `[data-order="${id}"] [data-step]`);
  await clickButton(page, '.kitchen-head', 'Collected');
  await untilTickets(page, 21);
});

inBrowser('the board is usable on every screen, in light and dark, by keyboard', async () => {
  const { page, foreign, errors } = watched;
  await goTo(page, running().url + board);
  await untilTickets(page, 21);
  const faults = await look(page, 'board');
  await clickButton(page, '.kitchen-head', 'Options');
  faults.push(...(await look(page, 'board-options')));
  expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
});

inBrowser('at a store with a pace the board shows how full the next two hours are, and a press widens a quarter of an hour', async () => {
  const { page, foreign, errors } = watched;
  const storeId = board.split('/')[2] ?? '';
  await onDatabase(running().environment, async (client) => {
    await client.query(`update orders.store set pace = '{"minutes": 15, "max_items": 6}' where id = $1`, [storeId]);
  });
  await goTo(page, running().url + board);
  const next = '.pace-quarter:nth-child(2)';
  await page.waitForSelector(next);
  await click(page, `${next} button:last-child`);
  await page.waitForFunction(`document.querySelector('${next} span').textContent.endsWith('/7')`);
  expect(await page.$$eval('.pace-quarter', (quarters) => quarters.length)).toBe(8);
  const faults = await look(page, 'board-pace');
  expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
});
