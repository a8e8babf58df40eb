import { mkdirSync } from 'node:fs';
import { demoTokens, people, stores } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'puppeteer-core';
import { callApi } from '../testing/call-api.ts';
import { findBrowser, openBrowser, openPage } from '../testing/open-browser.ts';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import {
  linksOf,
  looksEverywhere,
  pixelsTooWide,
  schemesOn,
  screens,
  show,
  violations,
  violationsInBothSchemes,
  visit,
} from '../testing/page-checks.ts';
import { recordingClient } from '../testing/recording-client.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const executable = await findBrowser();
const inBrowser = executable ? test : test.skip;
const screenshots = `${checkout}/.corner/screenshots`;

let environment: TestEnvironment;
let browser: Browser | undefined;

beforeAll(async () => {
  environment = await sharedEnvironment();
  if (executable) browser = await openBrowser(executable);
  mkdirSync(screenshots, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
});

const gatewayUrl = () => environment.system.gatewayUrl;
const open = () => openPage(browser as Browser, gatewayUrl());

inBrowser(
  'no page breaks a rule of axe, in light or dark; none scrolls sideways on a phone or a desktop, or asks another host',
  async () => {
    const { page, foreign, errors } = await open();
    await visit(page, `${gatewayUrl()}/docs`);
    const paths = await linksOf(page, '#pages');
    expect(paths.length).toBeGreaterThan(40);
    // Guides are written by hand. Of pages made from one template, the walk checks the first and this test two others.
    const guides = paths.filter((path) => path.startsWith('/docs/guide/'));
    expect(guides.length).toBeGreaterThan(10);
    const looked = new Set([...guides, '/docs/operations/createOrder', '/docs/operations/refundOrder']);
    const faults: string[] = [];
    for (const path of paths) {
      await visit(page, gatewayUrl() + path);
      for (const screen of screens) {
        const { name, width, height } = screen;
        await page.setViewport({ width, height });
        for (const scheme of looksEverywhere || looked.has(path) || pictured.has(path) ? schemesOn(screen) : []) {
          await show(page, scheme);
          if (looksEverywhere || looked.has(path)) faults.push(...(await violations(page)).map((fault) => `${path} ${name} ${fault}`));
          if (pictured.has(path))
            await page.screenshot({ path: `${screenshots}/${path.replaceAll('/', '-').slice(1)}-${name}-${scheme}.png` });
        }
        const wide = await pixelsTooWide(page);
        if (wide > 0) faults.push(`${path} ${name}: ${wide} pixels too wide`);
      }
    }
    expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
  },
  1_200_000,
);

inBrowser('an invoice and its credit note break no rule of axe, in light or dark or print, on any screen down to 320 pixels', async () => {
  const { orderId, shopper } = await runOrderScenario(environment, await newShopper(environment.system));
  const client = recordingClient(gatewayUrl(), environment.history, {
    operation: 'read',
    token: shopper.customer,
    traceId: undefined,
    key: orderId,
  });
  const { data } = await client.GET('/api/v1/orders/{orderId}/mine', { params: { path: { orderId } } });
  const url = data.order.receipt_url ?? '';
  const { page, foreign, errors } = await openPage(browser as Browser, new URL(url).origin);
  const faults: string[] = [];
  for (const [name, path] of [
    ['invoice', url],
    ['credit-note', `${url}/credit-notes/1`],
  ] as const) {
    await page.goto(path);
    for (const { name: screen, width, height } of [...screens, { name: 'narrow', width: 320, height: 640 }]) {
      await page.setViewport({ width, height });
      const picture = (scheme: string) => page.screenshot({ path: `${screenshots}/${name}-${screen}-${scheme}.png`, fullPage: true });
      faults.push(...(await violationsInBothSchemes(page, picture)).map((fault) => `${name} ${screen} ${fault}`));
      const wide = await pixelsTooWide(page);
      if (wide > 0) faults.push(`${name} ${screen}: ${wide} pixels too wide`);
    }
    await page.emulateMediaType('print');
    faults.push(...(await violations(page)).map((fault) => `${name} print ${fault}`));
    await page.emulateMediaType('screen');
  }
  await page.goto(url);
  await Promise.all([page.waitForNavigation(), page.click('li a')]);
  expect(await page.$eval('h1', (title) => title.textContent)).toMatch(/^Credit note S1-\d+-C1$/);
  await Promise.all([page.waitForNavigation(), page.click('dd a')]);
  expect(await page.$eval('h1', (title) => title.textContent)).toMatch(/^VAT invoice S1-\d+$/);
  expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
});

const pictured = new Set(['/docs', '/docs/errors', '/docs/events', '/docs/operations/createOrder', '/docs/operations/refundOrder']);

async function send(page: Page): Promise<{ readonly status: string; readonly body: Record<string, unknown> }> {
  await page.$eval('#try-result', (result) => result.replaceChildren());
  await page.click('#try button');
  await page.waitForFunction('/^[0-9]{3} /.test(document.querySelector("#try-result").textContent)');
  await page.waitForFunction('document.querySelector("#try-response").textContent.endsWith("\\n}")');
  const text = (id: string) => page.$eval(id, (element) => element.textContent ?? '');
  return { status: await text('#try-result'), body: JSON.parse(await text('#try-response')) };
}

inBrowser('Ana places an order from its page, each time a new one, and the same one when she repeats the key', async () => {
  const { page, errors } = await open();
  await visit(page, `${gatewayUrl()}/docs/operations/createOrder`);
  const first = await send(page);
  expect(first.status).toMatch(/^200 OK after \d+ ms, request /);
  const second = await send(page);
  expect(second.body.order_id).not.toBe(first.body.order_id);
  await page.click('#try-repeat');
  expect((await send(page)).body.order_id).toBe(second.body.order_id);
  await page.screenshot({ path: `${screenshots}/tried.png`, fullPage: true });

  await visit(page, `${gatewayUrl()}/docs/operations/getOrder`);
  expect(await page.$eval('#try-person', (select) => (select as unknown as Choice).selectedOptions[0]?.textContent)).toBe('Bo (merchant)');
  expect((await send(page)).body).toMatchObject({ order: { id: second.body.order_id } });
  expect(errors).toEqual([]);
});

interface Choice {
  readonly selectedOptions: readonly { readonly textContent: string }[];
}

/** A day at the store, in the order of its operations. The id of each order, stamp and entry comes from an earlier response. */
const day = [
  'listStores',
  'readMenu',
  'listOpenSlots',
  'createOrder',
  'confirmOrder',
  'getMyOrder',
  'getOrder',
  'advanceFulfilment',
  'notifyDelay',
  'orderLog',
  'refundOrder',
  'grantStamp',
  'customerState',
  'undoStamp',
  'generateStampCode',
  'redeemStampCode',
  'requestMultiStamp',
  'multiStampStatus',
  'cancelMultiStamp',
  'joinQueue',
  'queueStatus',
  'callQueueEntry',
  'assignQueueEntry',
  'completeQueueEntry',
  'listMyOrders',
  'listOrders',
  'listPreferences',
];

/** A stamp that completes a card cannot be undone, so a new card is begun. */
async function startCardAnew(): Promise<void> {
  const card = { store_id: stores.coffee.id, customer_id: people.ana.id };
  const { bo } = await demoTokens(environment.system.tokens);
  const query = new URLSearchParams(card);
  const call = (method: string, path: string, body?: object) => callApi(environment.system, method, `/loyalty/${path}`, bo, body);
  while ((await call('GET', `customer-state?${query}`)).stamp_count > 0) await call('POST', 'stamps', card);
}

inBrowser(
  'the operations of a day can be sent one after another from their pages, which pay with a test card and carry ids on',
  async () => {
    await startCardAnew();
    const { page, errors } = await open();
    const outcomes: string[] = [];
    for (const operation of day) {
      await visit(page, `${gatewayUrl()}/docs/operations/${operation}`);
      const { status } = await send(page);
      outcomes.push(`${operation} ${status.slice(0, 3)}`);
      if (operation !== 'createOrder') continue;
      await page.waitForSelector('#try-pay:not([hidden])');
      await page.click('#try-pay button');
      await page.waitForFunction('/: succeeded/.test(document.querySelector("#try-result").textContent)');
      expect(await linksOf(page, '#try-result')).toEqual(['/docs/operations/confirmOrder']);
      await page.screenshot({ path: `${screenshots}/paid.png`, fullPage: true });
    }
    expect({ outcomes, errors }).toEqual({ outcomes: day.map((operation) => `${operation} 200`), errors: [] });
  },
);

inBrowser('a program is copied by the button on it', async () => {
  const { page, errors } = await open();
  await visit(page, `${gatewayUrl()}/docs/operations/createOrder`);
  await page.evaluate(() => {
    const { navigator, copied } = Object.assign(globalThis, { copied: [] as string[] }) as unknown as Clipboarded;
    navigator.clipboard.writeText = async (text) => void copied.push(text);
  });
  await page.click('.samples .copy');
  const copied = (await page.evaluate('copied')) as string[];
  expect(copied).toEqual([expect.stringContaining(`curl "${environment.system.gatewayUrl}/api/v1/orders"`)]);
  expect(await page.$eval('.samples .copy', (button) => button.textContent)).toBe('Copied');
  expect(errors).toEqual([]);
});

interface Clipboarded {
  readonly navigator: { readonly clipboard: { writeText(text: string): Promise<void> } };
  readonly copied: string[];
}

inBrowser('a refusal links to what to do about it', async () => {
  const { page } = await open();
  await visit(page, `${gatewayUrl()}/docs/operations/getOrder`);
  expect(await send(page)).toMatchObject({ status: expect.stringMatching(/^404 /) });
  expect(await linksOf(page, '#try-result')).toEqual(['/docs/errors#ORDER_NOT_FOUND']);
});

inBrowser('the search finds operations, errors, events and fields, and shows links to them', async () => {
  const { page } = await open();
  await visit(page, `${gatewayUrl()}/docs`);
  for (const [words, first] of [
    ['refund an order', '/docs/operations/refundOrder'],
    ['SLOT_JUST_FILLED', '/docs/errors#SLOT_JUST_FILLED'],
    ['order.paid', '/docs/events#order.paid.v1'],
  ] as const) {
    await page.$eval('#search', (field) => {
      (field as unknown as { value: string }).value = '';
    });
    await page.type('#search', words);
    await page.waitForSelector(`#found:not([hidden]) li:first-child a[href="${first}"]`);
  }
  expect(await violations(page)).toEqual([]);
});
