import { mkdirSync } from 'node:fs';
import { checkout } from '@corner/sandbox/system';
import type { BrowserContext, Page } from 'puppeteer-core';
import { findBrowser, openBrowser, openPage, type WatchedPage } from '../../testing/open-browser.ts';
import { startTestEnvironment, type TestEnvironment } from '../../testing/test-environment.ts';

export const executable = await findBrowser();
export const screenshots = `${checkout}/.corner/screenshots`;

export interface Phone {
  open(path: string): Promise<WatchedPage>;
}

export interface ShopInBrowser extends AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly url: string;
  newPhone(language?: 'en' | 'fr'): Promise<Phone>;
}

export async function startShopInBrowser(): Promise<ShopInBrowser> {
  await using started = new AsyncDisposableStack();
  const environment = started.use(await startTestEnvironment({}, { optional: ['directory'], shop: true }));
  const shop = started.use(await browseShop(environment));
  const owned = started.move();
  return { ...shop, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export async function browseShop(environment: TestEnvironment): Promise<ShopInBrowser> {
  mkdirSync(screenshots, { recursive: true });
  const url = environment.system.run.shop ?? '';
  const browser = await openBrowser(executable ?? '');
  return {
    environment,
    url,
    async newPhone(language = 'en') {
      const context = await browser.createBrowserContext();
      return { open: (path) => open(context, url, path, language) };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

const phoneScreen = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const;

async function open(context: BrowserContext, url: string, path: string, language: string): Promise<WatchedPage> {
  const watched = await openPage(context, url);
  const { page } = watched;
  await page.setViewport(phoneScreen);
  await page.evaluateOnNewDocument(`try { localStorage.setItem('corner.language', ${JSON.stringify(language)}) } catch {}`);
  await page.goto(new URL(path, url).href, { waitUntil: 'load' });
  return watched;
}

export const untilText = (page: Page, text: string, selector = 'body'): Promise<unknown> =>
  page
    .waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
    )
    .catch(async () => {
      throw new Error(`not “${text}” but: ${await page.$eval('body', (body) => body.innerText)}`);
    });

export async function press(page: Page, text: string): Promise<void> {
  const found = `[...document.querySelectorAll('a[href], button:enabled:not([aria-disabled="true"]), label')].find((one) => one.textContent.trim().startsWith(${JSON.stringify(text)}))`;
  await page.waitForFunction(found);
  await page.evaluate(`${found}.click()`);
}
