import axe from 'axe-core';
import type { Page } from 'puppeteer-core';

/** With PAGES=everywhere axe checks every page on every screen, in light and in dark, by all its rules. */
export const looksEverywhere = process.env.PAGES === 'everywhere';

export const screens = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;
const schemes = ['light', 'dark'] as const;
type Scheme = (typeof schemes)[number];

export const schemesOn = ({ name }: (typeof screens)[number]): readonly Scheme[] =>
  looksEverywhere ? schemes : [name === 'phone' ? 'light' : 'dark'];

export const show = (page: Page, scheme: Scheme): Promise<void> =>
  page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);

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

/** Rules whose outcome depends on colours or sizes alone see the same page in both schemes, or on two screens of one kind. */
const rulesOfColours = ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block'];
const rulesOfSizes = ['target-size', 'scrollable-region-focusable'];

export async function violations(page: Page, rules: readonly string[] | 'all' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return await page.evaluate(
    async (values) => {
      const { axe } = globalThis as unknown as Axe;
      const which = values
        ? { runOnly: { type: 'rule', values } }
        : { rules: Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }])) };
      const { violations: found } = await axe.run({ ...which, resultTypes: ['violations'] });
      return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    rules === 'all' ? null : rules,
  );
}

/**
 * Applies all rules in light and the colour rules in dark on a desktop and a phone, the size rules once on other screens, and with
 * {@link looksEverywhere} always all rules.
 */
export async function violationsInBothSchemes(page: Page, look: (scheme: Scheme) => Promise<unknown> = async () => {}): Promise<string[]> {
  const isKnown = screens.some(({ width }) => width === page.viewport()?.width);
  const rulesIn = { light: isKnown ? 'all' : rulesOfSizes, dark: isKnown ? rulesOfColours : [] } as const;
  const found: string[] = [];
  for (const scheme of schemes) {
    await show(page, scheme);
    const rules = looksEverywhere ? 'all' : rulesIn[scheme];
    if (rules.length > 0) found.push(...(await violations(page, rules)).map((fault) => `${scheme}: ${fault}`));
    await look(scheme);
  }
  return found;
}

export const pixelsTooWide = (page: Page): Promise<number> => page.$eval('html', (root) => root.scrollWidth - root.clientWidth);

interface Axe {
  readonly axe: { getRules(): readonly { readonly ruleId: string }[]; run(options: object): Promise<AxeResults> };
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly string[] }[] }[];
}
