import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openStoreOfBo } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { browseConsole, type ConsoleInBrowser, executable, screenshots } from './testing/console-in-browser.ts';

const inBrowser = executable ? test : test.skip;

let console: ConsoleInBrowser | undefined;
beforeAll(async () => {
  if (executable) console = await browseConsole(await sharedEnvironment('whole'));
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

inBrowser('the codes of tables are printed one a page, large and black on white', async () => {
  const { environment, open } = console as ConsoleInBrowser;
  const { id } = await openStoreOfBo('coffee', environment.system);
  const { page, errors } = await open('bo', `/shop/${id}/settings/address`);
  const field = await page.waitForSelector('::-p-aria([name="Tables"])');
  await field?.type('1-3');
  await page.waitForFunction(`document.querySelectorAll('.poster').length === 3`);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  const pdf = Buffer.from(await page.pdf({ format: 'A4', path: `${screenshots}/console-posters.pdf` })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(3);

  await page.emulateMediaType('print');
  await page.setViewport({ width: 794, height: 1123 });
  await page.screenshot({ path: `${screenshots}/console-posters-print.png`, fullPage: true });
  const codes = await page.$$eval('.poster svg', (all) =>
    all.map((code) => code.getBoundingClientRect()).map(({ width, height }) => [width, height]),
  );
  for (const [width, height] of codes) expect([Math.round(width ?? 0), Math.round(height ?? 0)]).toEqual([454, 454]);
  const shown = await page.$$eval(
    '.bar, .side, .page-head, .not-printed, .announced',
    (all) => all.filter((each) => each.checkVisibility()).length,
  );
  expect({ shown, errors }).toEqual({ shown: 0, errors: [] });
});
