import { mkdirSync, writeFileSync } from 'node:fs';
import { demoTokens } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'puppeteer-core';
import { findBrowser, openBrowser, openPage } from '../testing/open-browser.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const executable = await findBrowser();
const inBrowser = executable ? test : test.skip;
/** Screenshots of a phone and a desktop, light and dark, for people to look at. */
const screenshots = `${checkout}/.corner/screenshots`;

let environment: TestEnvironment;
let browser: Browser | undefined;

beforeAll(async () => {
  environment = await startTestEnvironment();
  const tokens = await demoTokens(environment.system.tokens);
  writeFileSync(`${environment.folder}/run.json`, JSON.stringify({ tokens }));
  if (executable) browser = await openBrowser(executable);
  mkdirSync(screenshots, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await environment[Symbol.asyncDispose]();
});

const open = () => openPage(browser as Browser, environment.system.gatewayUrl);

/** Goes to a page, waits until its form is ready, and opens everything that is folded. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(environment.system.gatewayUrl + path, { waitUntil: 'load' });
  if (await page.$('#try')) await page.waitForSelector('#try:not([hidden])');
  await page.$$eval('details', (all) => {
    for (const folded of all) {
      folded.removeAttribute('name');
      folded.open = true;
    }
  });
}

const linksOf = (page: Page, within: string): Promise<string[]> =>
  page.$$eval(`${within} a[href]`, (links) => links.map((link) => link.getAttribute('href') ?? ''));

/** What axe finds wrong with the page as it stands, by all its rules, also those that are not on by default: the rule and the place. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as Axe;
    const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
    const { violations: found } = await axe.run({ rules, resultTypes: ['violations'] });
    return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

interface Axe {
  readonly axe: { getRules(): readonly { readonly ruleId: string }[]; run(options: object): Promise<AxeResults> };
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly string[] }[] }[];
}

const schemes = ['light', 'dark'] as const;
const screens = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;

inBrowser(
  'no page breaks a rule of axe, in light or dark, on a phone or a desktop; none scrolls sideways or asks another host',
  async () => {
    const { page, foreign, errors } = await open();
    await visit(page, '/docs');
    const paths = await linksOf(page, '#pages');
    expect(paths.length).toBeGreaterThan(40);
    // The pages of operations are alike: axe looks at the first of each chapter, and at those of the pictures.
    const first = new Set(await linksOf(page, '#pages li:first-child'));
    const isCopy = (path: string) => path.startsWith('/docs/operations/') && !first.has(path) && !pictured.has(path);
    const faults: string[] = [];
    for (const { name, width, height } of screens) {
      await page.setViewport({ width, height });
      for (const path of paths) {
        await visit(page, path);
        for (const scheme of isCopy(path) ? [] : schemes) {
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
          faults.push(...(await violations(page)).map((fault) => `${path} ${name} ${scheme}: ${fault}`));
          if (pictured.has(path))
            await page.screenshot({ path: `${screenshots}/${path.replaceAll('/', '-').slice(1)}-${name}-${scheme}.png` });
        }
        const wide = await page.$eval('html', (root) => root.scrollWidth - root.clientWidth);
        if (wide > 0) faults.push(`${path} ${name}: ${wide} pixels too wide`);
      }
    }
    expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
  },
  600_000,
);

const pictured = new Set(['/docs', '/docs/errors', '/docs/events', '/docs/operations/createOrder', '/docs/operations/refundOrder']);

/** The text of the response that the form shows, once there is one. */
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
  await visit(page, '/docs/operations/createOrder');
  const first = await send(page);
  expect(first.status).toMatch(/^200 OK after \d+ ms, request /);
  const second = await send(page);
  expect(second.body.order_id).not.toBe(first.body.order_id);
  await page.click('#try-repeat');
  expect((await send(page)).body.order_id).toBe(second.body.order_id);
  await page.screenshot({ path: `${screenshots}/tried.png`, fullPage: true });

  await visit(page, '/docs/operations/getOrder');
  expect(await page.$eval('#try-person', (select) => (select as unknown as Choice).selectedOptions[0]?.textContent)).toBe('Bo (merchant)');
  expect((await send(page)).body).toMatchObject({ order: { id: second.body.order_id } });
  expect(errors).toEqual([]);
});

/** What is used of a select element. */
interface Choice {
  readonly selectedOptions: readonly { readonly textContent: string }[];
}

inBrowser('a refusal links to what to do about it', async () => {
  const { page } = await open();
  await visit(page, '/docs/operations/getOrder');
  expect(await send(page)).toMatchObject({ status: expect.stringMatching(/^404 /) });
  expect(await linksOf(page, '#try-result')).toEqual(['/docs/errors#ORDER_NOT_FOUND']);
});

inBrowser('the search finds operations, errors, events and fields, and shows links to them', async () => {
  const { page } = await open();
  await visit(page, '/docs');
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
    expect(await violations(page)).toEqual([]);
  }
});
