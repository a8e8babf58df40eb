import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { findBrowser, openBrowser, openPage } from '../testing/open-browser.ts';
import { linksOf, pixelsTooWide, schemesOn, screens, show, violations, visit } from '../testing/page-checks.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

// A page of each template. The tests in pages/ visit the others. With PAGES=everywhere both check every page, on every screen, in light and
// dark.
const executable = await findBrowser();
const inBrowser = executable ? test : test.skip;

let environment: TestEnvironment;
let browser: Browser | undefined;

beforeAll(async () => {
  environment = await sharedEnvironment();
  if (executable) browser = await openBrowser(executable);
});
afterAll(async () => {
  await browser?.close();
});

inBrowser('no template of a page breaks a rule of axe, in light or dark, on a phone or a desktop; none scrolls sideways', async () => {
  const { gatewayUrl } = environment.system;
  const { page, foreign, errors } = await openPage(browser as Browser, gatewayUrl);
  await visit(page, `${gatewayUrl}/docs`);
  const byTemplate = Map.groupBy(['/docs', ...(await linksOf(page, '#pages'))], (path) => path.split('/').slice(0, 3).join('/'));
  expect(byTemplate.size).toBeGreaterThan(4);
  const faults: string[] = [];
  for (const [path = ''] of byTemplate.values()) {
    await visit(page, gatewayUrl + path);
    for (const screen of screens) {
      const { name, width, height } = screen;
      await page.setViewport({ width, height });
      for (const scheme of schemesOn(screen)) {
        await show(page, scheme);
        faults.push(...(await violations(page)).map((fault) => `${path} ${name} ${scheme} ${fault}`));
      }
      if ((await pixelsTooWide(page)) > 0) faults.push(`${path} ${name} scrolls sideways`);
    }
  }
  expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
});
