import axe from 'axe-core';
import type { Page } from 'puppeteer-core';

/** The screens that pages are looked at on. */
export const screens = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;
const schemes = ['light', 'dark'] as const;

/** Goes to a page, waits until its form is ready, and opens everything that is folded. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'load' });
  if (await page.$('#try')) await page.waitForSelector('#try:not([hidden])');
  await page.$$eval('details', (all) => {
    for (const folded of all) {
      folded.removeAttribute('name');
      folded.open = true;
    }
  });
}

export const linksOf = (page: Page, within: string): Promise<string[]> =>
  page.$$eval(`${within} a[href]`, (links) => links.map((link) => link.getAttribute('href') ?? ''));

/** Returns the faults that axe finds in the page as it is, by all its rules, also those that are off by default: the rule and the place. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as Axe;
    const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
    const { violations: found } = await axe.run({ rules, resultTypes: ['violations'] });
    return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

/** Returns the faults that axe finds in the page in light and in dark. `look` is called with each of them. */
export async function violationsInBothSchemes(page: Page, look: (scheme: string) => Promise<unknown> = async () => {}): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of schemes) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    found.push(...(await violations(page)).map((fault) => `${scheme}: ${fault}`));
    await look(scheme);
  }
  return found;
}

/** Pixels by which the page is wider than the screen. */
export const pixelsTooWide = (page: Page): Promise<number> => page.$eval('html', (root) => root.scrollWidth - root.clientWidth);

interface Axe {
  readonly axe: { getRules(): readonly { readonly ruleId: string }[]; run(options: object): Promise<AxeResults> };
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly string[] }[] }[];
}
