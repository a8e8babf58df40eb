import type { Browser, BrowserContext, Page } from 'puppeteer-core';

export { findBrowser, openBrowser } from '@corner/benchmarks/browser';

/** `foreign` are the requests to another origin than the given one, `errors` the errors of the page and its console. */
export interface WatchedPage {
  readonly page: Page;
  readonly foreign: readonly string[];
  readonly errors: readonly string[];
}

export async function openPage(browser: Browser | BrowserContext, origin: string): Promise<WatchedPage> {
  const page = await browser.newPage();
  // Long enough for a busy machine.
  page.setDefaultTimeout(120_000);
  const foreign: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) foreign.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url ?? ''}`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { page, foreign, errors };
}

/**
 * Clicks the first element of a selector once it is there, wherever it is. The pointer would click a place, where another element may be by
 * then, since a page grows while its reads arrive.
 */
export async function click(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
}
