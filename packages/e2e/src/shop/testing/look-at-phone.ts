import type { Page, Viewport } from 'puppeteer-core';
import { pixelsTooWide, violationsInBothSchemes } from '../../testing/page-checks.ts';
import { screenshots } from './shop-in-browser.ts';

/**
 * Looks at a phone, light and dark, and takes a picture of each. Returns the faults: those that axe finds by all its rules, and sideways
 * scrolling, also at 320 pixels and with text of twice the size.
 */
export async function lookAtPhone(page: Page, name: string): Promise<string[]> {
  const before = page.viewport();
  // A target that the bar at the bottom covers counts as too small. The server's policy refuses a style element.
  await page.evaluate(
    `document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].replaceSync('.page-end { position: static }');`,
  );
  const picture = (scheme: string) => page.screenshot({ path: `${screenshots}/shop-${name}-${scheme}.png`, fullPage: true });
  const faults = (await violationsInBothSchemes(page, picture)).map((fault) => `${name} ${fault}`);
  const wide = async (how: string) => {
    const pixels = await pixelsTooWide(page);
    if (pixels > 0) faults.push(`${name} ${how}: ${pixels} pixels too wide`);
  };
  await wide('on a phone');
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  await wide('with large text');
  await page.screenshot({ path: `${screenshots}/shop-${name}-large.png`, fullPage: true });
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  await page.setViewport({ ...before, width: 320, height: 640 } as Viewport);
  await wide('on 320 pixels');
  await page.setViewport(before);
  // The bar is fixed again. At the end of the page it moves while the page loads, and a press can miss it.
  await page.evaluate('document.adoptedStyleSheets = []');
  return faults;
}
