import { mkdirSync } from 'node:fs';
import { checkout, type StartOptions } from '@corner/sandbox/system';
import type { Browser, BrowserContext, HTTPRequest, Page } from 'puppeteer-core';
import { findBrowser, openBrowser, openPage, type WatchedPage } from '../../testing/open-browser.ts';
import { startTestEnvironment, type TestEnvironment } from '../../testing/test-environment.ts';

export interface ConsoleInBrowser extends AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly url: string;
  /** Signs in as one of the demo's people, given by key. Each person has their own cookies. */
  open(person: string, path: string): Promise<WatchedPage>;
  visit(address: string): Promise<WatchedPage>;
}

export const executable = await findBrowser();
export const screenshots = `${checkout}/.corner/screenshots`;

export async function startConsoleInBrowser(
  options: Pick<StartOptions, 'optional' | 'directory' | 'shop'> = {},
): Promise<ConsoleInBrowser> {
  await using started = new AsyncDisposableStack();
  const environment = started.use(await startTestEnvironment({}, { ...options, console: true }));
  const console = started.use(await browseConsole(environment));
  const owned = started.move();
  return { ...console, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export async function browseConsole(environment: TestEnvironment): Promise<ConsoleInBrowser> {
  mkdirSync(screenshots, { recursive: true });
  const url = environment.system.run.console ?? '';
  const browser = await openBrowser(executable ?? '');
  return {
    environment,
    url,
    open: (person, path) => open(browser, url, person, path),
    visit: async (address) => {
      const watched = await watch(await browser.createBrowserContext(), url);
      await watched.page.goto(address, { waitUntil: 'load' });
      return watched;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function open(browser: Browser, url: string, person: string, path: string): Promise<WatchedPage> {
  const context = await browser.createBrowserContext();
  const { page: signingIn } = await openPage(context, url);
  await signingIn.goto(`${url}/sign-in?to=${encodeURIComponent(path)}`);
  await signingIn.click(`button[name="person"][value="${person}"]`);
  await signingIn.waitForSelector('#main h1');
  const watched = await watch(context, url);
  await signingIn.close();
  await goTo(watched.page, `${url}${path}`);
  return watched;
}

async function watch(context: BrowserContext, url: string): Promise<WatchedPage> {
  const watched = await openPage(context, url);
  await watched.page.setViewport({ width: 1440, height: 900 });
  return watched;
}

export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'load' });
  await untilRead(page);
}

export const untilRead = (page: Page): Promise<unknown> =>
  page.waitForFunction('document.querySelector("#main h1") && !document.querySelector("#main .loading")');

export const untilText = (page: Page, selector: string, text: string): Promise<unknown> =>
  page.waitForFunction(`document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`);

export async function clickButton(page: Page, within: string, text: string): Promise<void> {
  const found = `[...document.querySelectorAll(${JSON.stringify(`${within} button:enabled:not([aria-disabled="true"])`)})].find((button) => button.textContent.startsWith(${JSON.stringify(text)}))`;
  await page.waitForFunction(found);
  await page.evaluate(`${found}.click()`);
}

/** Selects the field without the pointer: see `click`. */
export async function fill(page: Page, name: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${name}"])`);
  await field?.evaluate((element) => (element as unknown as { select(): void }).select());
  await field?.focus();
  await page.keyboard.sendCharacter(text);
}

/**
 * Loses the responses to reads below a path, and to the first POST there, until the returned function is called. `post` carries out that
 * POST, so only its response is lost. Later POSTs get their responses.
 */
export async function lose(page: Page, path: string, post: (body: never, key: string) => Promise<unknown>): Promise<() => Promise<void>> {
  let posts = 0;
  let over = false;
  const handle = async (request: HTTPRequest) => {
    if (request.interceptResolutionState().action === 'disabled') return;
    if (over || !new URL(request.url()).pathname.startsWith(path)) return await request.continue();
    if (request.method() === 'POST') {
      posts += 1;
      if (posts > 1) return await request.continue();
      await post(JSON.parse(request.postData() ?? '') as never, request.headers()['idempotency-key'] ?? '');
    }
    await request.abort();
  };
  const onRequest = (request: HTTPRequest) => void handle(request);
  await page.setRequestInterception(true);
  page.on('request', onRequest);
  return async () => {
    over = true;
    await page.setRequestInterception(false);
    page.off('request', onRequest);
  };
}

export const setHidden = (page: Page, hidden: boolean): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);
