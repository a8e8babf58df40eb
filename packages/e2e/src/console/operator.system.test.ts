import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import {
  browseConsole,
  type ConsoleInBrowser,
  clickButton,
  executable,
  goTo,
  screenshots,
  untilRead,
  untilText,
} from './testing/console-in-browser.ts';
import { peopleOf } from './testing/day-in-a-shop.ts';
import { look } from './testing/look.ts';

const inBrowser = executable ? test : test.skip;
const budget = 120_000;

let console: ConsoleInBrowser | undefined;
let database: pg.Client;
let orderId: string;

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  database = new pg.Client({ connectionString: console.environment.system.databaseUrl });
  await database.connect();
  await database.query('alter table loyalty.stamp add constraint closed_for_now check (false) not valid');
  const phone = await peopleOf(console.environment);
  orderId = (await phone.order()).order_id;
});
afterAll(async () => {
  await database?.query('alter table loyalty.stamp drop constraint if exists closed_for_now');
  await database?.end();
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;
const stamps = async (): Promise<number> =>
  (await database.query('select from loyalty.stamp where order_id = $1', [orderId])).rowCount ?? 0;

const poisoned = (): Promise<string> =>
  until(
    async () => {
      const open = 'select event_id from loyalty.dead_letter where settled_at is null';
      return (await database.query<{ event_id: string }>(open)).rows[0]?.event_id ?? false;
    },
    { describe: 'the dead letter' },
  );

inBrowser('the first page takes 120 kB at most, and the palette goes to a page and to a story by the keyboard alone', async () => {
  const { page, foreign, errors } = await running().open('pia', '/system');
  const sizes = new Map<string, number>();
  page.on('response', (response) => {
    if (!response.url().includes('/api/')) sizes.set(response.url(), Number(response.headers()['content-length']));
  });
  await page.setCacheEnabled(false);
  await goTo(page, `${running().url}/`);
  await page.waitForSelector('canvas');
  expect(sizes.size).toBeGreaterThan(4);
  expect(sizes.values().reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(budget);
  await page.setCacheEnabled(true);

  await openPalette(page, 'streams');
  await untilText(page, 'h1', 'Streams');
  expect(await page.title()).toBe('Streams · Corner');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  await openPalette(page, orderId);
  await untilText(page, 'h1', 'Story');
  await untilText(page, '#main', 'The customer placed the order');
  await goTo(page, `${running().url}/dead-letters/loyalty/${await poisoned()}`);
  expect(
    await page.$$eval('#main button:not(.sort)', (buttons) => buttons.map(({ textContent }) => textContent?.trim()).filter(Boolean)),
  ).toEqual([]);
  expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
});

async function openPalette(page: Page, typed: string): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector('dialog.palette input:focus');
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
}

inBrowser(
  'every page of operators is usable on a phone and a desktop, light and dark',
  async () => {
    const eventId = await poisoned();
    const { page, foreign, errors } = await running().open('olu', '/');
    const faults: string[] = [];
    for (const [name, path] of [
      ['overview', '/'],
      ['story-search', '/story'],
      ['story', `/story/${orderId}`],
      ['dead-letters', '/dead-letters'],
      ['dead-letter', `/dead-letters/loyalty/${eventId}`],
      ['streams', '/streams'],
      // One order's messages alone: the keyboard check presses Tab a fixed number of times, too few for a long list.
      ['messages', `/messages?order_id=${orderId}`],
      ['system', '/system'],
    ] as const) {
      await goTo(page, `${running().url}${path}`);
      faults.push(...(await look(page, name)));
    }
    expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
  },
  600_000,
);

inBrowser('a poisoned event is found, understood and retried by clicking; its effect is there once', async () => {
  const eventId = await poisoned();
  const { page, errors } = await running().open('olu', '/');
  let looks = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('?payload=true')) looks++;
  });
  await untilText(page, '.tiles', 'events whose effects are missing');
  await click(page, '.tile[href="/dead-letters"]');
  await untilText(page, '#main', 'closed_for_now');
  await click(page, `a[href$="${eventId}"]`);
  await untilText(page, '.letter-error', 'closed_for_now');
  await untilText(page, '.field-names', 'order_id');
  await clickButton(page, '#main', 'Show the values');
  await untilText(page, '.payload', orderId);

  await clickButton(page, '.letter', 'Retry');
  await page.type('dialog textarea', 'the constraint is dropped');
  await clickButton(page, 'dialog', 'Retry');
  await untilText(page, 'dialog [role="alert"]', 'FAILED');
  expect(await stamps()).toBe(0);
  await database.query('alter table loyalty.stamp drop constraint closed_for_now');
  // Every view of the values is recorded, so a refresh after an action must not read them again.
  expect(looks).toBe(1);
  await goTo(page, `${running().url}/dead-letters`);
  await clickButton(page, '.group', 'Retry it');
  await page.type('dialog textarea', 'the constraint is dropped');
  await clickButton(page, 'dialog', 'Retry it');
  await untilText(page, '#main', 'No dead letters.');
  await untilText(page, 'dialog[open]', '1 of 1: 1 processed, 0 not.');
  await clickButton(page, 'dialog', 'Close');
  await goTo(page, `${running().url}/dead-letters/loyalty/${eventId}`);
  await untilText(page, '.letter', 'It was retried by');
  const awarded = await stamps();
  expect(awarded).toBeGreaterThan(0);
  const again = await page.evaluate(async (path) => {
    const headers = { 'content-type': 'application/json' };
    return await (await fetch(path, { method: 'POST', headers, body: '{"reason":"once more"}' })).json();
  }, `/api/operator/dead-letters/loyalty/${eventId}/retry`);
  expect(again).toMatchObject({ outcome: 'not open' });
  expect(await stamps()).toBe(awarded);
  expect(errors).toEqual([]);
});

inBrowser('a story of 20,000 facts scrolls, with the rows in view only', async () => {
  const { page, errors } = await running().open('olu', '/story');
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/operator/stories/many')) return void request.continue();
    void request.respond({ status: 200, contentType: 'application/json', body: JSON.stringify(longStory()) });
  });
  await goTo(page, `${running().url}/story/many`);
  const rows = () => page.$$eval('.table tbody tr', (found) => found.length);
  await page.waitForSelector('tr[data-index="0"]');
  let most = await rows();
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await until(
      async () => {
        await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${share})`);
        most = Math.max(most, await rows());
        const last = await page.$$eval('tr[data-index]', (found) => Number(found.at(-1)?.getAttribute('data-index')));
        return last >= (share === 1 ? 19_999 : share * 15_000);
      },
      { describe: `the rows at ${share}` },
    );
  }
  await page.screenshot({ path: `${screenshots}/console-20000-facts.png` });
  expect(most).toBeLessThan(120);
  await untilRead(page);
  expect(errors).toEqual([]);
});

function longStory() {
  const begin = Date.parse('2026-11-23T08:00:00Z');
  const facts = Array.from({ length: 20_000 }, (_, index) => ({
    at: new Date(begin + index * 700).toISOString(),
    service: ['orders', 'loyalty', 'queue', 'notifications'][index % 4] ?? 'orders',
    sentence: `Fact ${index}: the order was changed by a member of staff, who gave a reason.`,
    event_id: randomUUID(),
    request_id: null,
    trace_id: null,
    of: null,
  }));
  return { id: 'many', facts, unreachable: [], dead_letters: [] };
}
