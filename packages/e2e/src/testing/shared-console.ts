import { mkdirSync } from 'node:fs';
import type { Browser, BrowserContext } from 'puppeteer-core';
import { type ConsoleInBrowser, executable, goTo, screenshots } from '../console/testing/console-in-browser.ts';
import { openBrowser, openPage, type WatchedPage } from './open-browser.ts';
import type { TestEnvironment } from './test-environment.ts';

/** Opens a browser in front of the console of a platform. Disposal closes the browser. */
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
  const signingIn = await context.newPage();
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
  // A safety net, not an expectation of speed.
  watched.page.setDefaultTimeout(120_000);
  return watched;
}
