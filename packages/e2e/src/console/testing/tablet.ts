import { stores } from '@corner/sandbox/demo';
import type { Page } from 'puppeteer-core';
import type { WatchedPage } from '../../testing/open-browser.ts';
import { type ConsoleInBrowser, untilRead, untilText } from './console-in-browser.ts';

const screen = { width: 820, height: 1180, hasTouch: true };

export interface Tablet extends WatchedPage {
  tap(within: string, text: string): Promise<void>;
  fill(field: string, text: string): Promise<void>;
  choose(label: string, text: string): Promise<void>;
  closeDialog(): Promise<void>;
  goTo(title: string): Promise<void>;
  chooseStore(name: keyof typeof stores): Promise<void>;
  pressByKeyboard(within: string, text: string): Promise<void>;
  see(within: string, text: string): Promise<void>;
}

export async function openTablet(console: ConsoleInBrowser, person: string, path: string): Promise<Tablet> {
  const watched = await console.open(person, path);
  const { page } = watched;
  await page.setViewport(screen);
  await untilRead(page);
  const tap = (within: string, text: string) => touch(page, `${within} :is(a, label, button:enabled:not([aria-disabled="true"]))`, text);
  return {
    ...watched,
    tap,
    async fill(field, text) {
      await touch(page, field, '');
      await page.$eval(field, (element) => (element as unknown as { select(): void }).select());
      await page.keyboard.type(text);
    },
    async choose(label, text) {
      const field = await page.waitForSelector(`::-p-aria([name="${label}"][role="combobox"])`);
      const options = await field?.$$eval('option', (all) => all.map((option) => [option.textContent, option.getAttribute('value')]));
      await field?.select(options?.find(([shown]) => shown?.startsWith(text))?.[1] ?? '');
    },
    async closeDialog() {
      await tap('dialog[open]', 'Close');
      await page.waitForFunction(`!document.querySelector('dialog[open]')`);
    },
    async goTo(title) {
      await touch(page, '.bar [aria-label="Menu"]', '');
      await tap('dialog.drawer nav', title);
      await untilText(page, '#main h1', title);
      await untilRead(page);
    },
    async chooseStore(name) {
      await page.select('.store select', stores[name].id);
      await page.waitForFunction(`location.pathname.includes('${stores[name].id}')`);
      await untilRead(page);
    },
    pressByKeyboard: (within, text) => pressByKeyboard(page, within, text),
    async see(within, text) {
      await page.waitForFunction(
        `[...document.querySelectorAll(${JSON.stringify(within)})].some((part) => part.checkVisibility() && part.textContent.includes(${JSON.stringify(text)}))`,
      );
    },
  };
}

async function touch(page: Page, candidates: string, text: string): Promise<void> {
  await page.waitForFunction(touchScript(candidates, text), { polling: 'raf' }).catch((cause: unknown) => {
    throw new Error(`a finger does not reach “${text}” of ${candidates}`, { cause });
  });
}

/**
 * A script that scrolls to the element and clicks it if it is shown and nothing covers its middle. Both happen in one step, since a read of
 * the page may move the element meanwhile.
 */
const touchScript = (candidates: string, text: string): string => `(() => {
  const found = [...document.querySelectorAll(${JSON.stringify(candidates)})].find(
    (element) => element.textContent.trim().startsWith(${JSON.stringify(text)}) && element.checkVisibility({ visibilityProperty: true }),
  );
  if (!found) return false;
  found.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = found.getBoundingClientRect();
  if (!found.contains(document.elementFromPoint(left + width / 2, top + height / 2))) return false;
  found.focus();
  found.click();
  return true;
})()`;

const mostPresses = 200;

async function pressByKeyboard(page: Page, within: string, text: string): Promise<void> {
  const script = (of: string) => `[${of}].some(
    (element) => element?.matches(${JSON.stringify(`${within} button:not([aria-disabled="true"])`)}) && element.textContent.trim().startsWith(${JSON.stringify(text)}),
  )`;
  await page.waitForFunction(script(`...document.querySelectorAll('button')`));
  for (let presses = 0; presses < mostPresses; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(script('document.activeElement'))) return await page.keyboard.press('Enter');
  }
  throw new Error(`the keyboard does not reach ${text} in ${within}`);
}
