import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { findBrowser, openBrowser, openPage } from '../testing/open-browser.ts';
import { linksOf, pixelsTooWide, screens, violationsInBothSchemes, visit } from '../testing/page-checks.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

// A page of each template. The tests in pages/ visit the others.
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
  // Pages of a folder are made from one template.
  const byTemplate = Map.groupBy(['/docs', ...(await linksOf(page, '#pages'))], (path) => path.split('/').slice(0, 3).join('/'));
  expect(byTemplate.size).toBeGreaterThan(4);
  const faults: string[] = [];
  for (const [path = ''] of byTemplate.values()) {
    await visit(page, gatewayUrl + path);
    for (const { name, width, height } of screens) {
      await page.setViewport({ width, height });
      faults.push(...(await violationsInBothSchemes(page)).map((fault) => `${path} ${name} ${fault}`));
      if ((await pixelsTooWide(page)) > 0) faults.push(`${path} ${name} scrolls sideways`);
    }
  }
  expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
});
