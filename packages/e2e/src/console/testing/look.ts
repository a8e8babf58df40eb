import type { Page } from 'puppeteer-core';
import { pixelsTooWide, screens, violationsInBothSchemes } from '../../testing/page-checks.ts';
import { clickButton, goTo, screenshots, untilRead } from './console-in-browser.ts';

const looked = [...screens, { name: 'tablet', width: 820, height: 1180 }] as const;
const narrowest = { width: 320, height: 640 };

/**
 * Looks at a desktop, a phone and a tablet, light and dark, and takes a picture of each. Returns the faults: those that axe finds by all
 * its rules, sideways scrolling, and controls that the keyboard does not reach.
 */
export async function look(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const screen of looked) {
    await page.setViewport(screen);
    // A target that the fixed bar covers counts as too small.
    await page.evaluate('scrollTo(0, 0)');
    await untilRead(page);
    const picture = (scheme: string) => page.screenshot({ path: `${screenshots}/console-${name}-${screen.name}-${scheme}.png` });
    faults.push(...(await violationsInBothSchemes(page, picture)).map((fault) => `${name} ${screen.name} ${fault}`));
    const wide = await pixelsTooWide(page);
    if (wide > 0) faults.push(`${name} ${screen.name}: ${wide} pixels too wide`);
    faults.push(...(await unreached(page)).map((element) => `${name} ${screen.name}: the keyboard does not reach ${element}`));
  }
  const isOfShop = new URL(page.url()).pathname.startsWith('/shop/');
  await page.setViewport(narrowest);
  const wide = isOfShop ? await pixelsTooWide(page) : 0;
  if (wide > 0) faults.push(`${name} on ${narrowest.width} pixels: ${wide} pixels too wide`);
  return faults;
}

export async function lookAtAll(
  page: Page,
  pages: readonly (readonly [name: string, address: string, dialog?: string | undefined])[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, address, dialog] of pages) {
    await goTo(page, address);
    faults.push(...(await look(page, name)));
    if (dialog === undefined) continue;
    await clickButton(page, '#main', dialog);
    faults.push(...(await look(page, `${name}-dialog`)));
  }
  return faults;
}

async function unreached(page: Page): Promise<string[]> {
  const count = Number(await page.evaluate(markShown));
  const most = 2 * count + 20;
  const isLeft = () => page.$('[data-unreached]');
  for (let press = 0; press < most && (press < count || (await isLeft())); press++) await page.keyboard.press('Tab');
  return await page.$$eval('[data-unreached]', (elements) => elements.map((element) => element.outerHTML.slice(0, 120)));
}

/** Marks the controls on the page or in the open dialog, and unmarks each that gets the focus. */
const markShown = `(() => {
  const within = document.querySelector('dialog[open]') ?? document;
  const shown = [...within.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [tabindex="-1"]'),
  );
  for (const element of shown) element.dataset.unreached = '';
  document.addEventListener('focusin', ({ target }) => delete target.dataset.unreached);
  document.body.tabIndex = -1;
  document.body.focus();
  return shown.length;
})()`;
