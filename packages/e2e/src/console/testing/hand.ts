import type { Page } from 'puppeteer-core';

export interface Hand {
  readonly presses: number;
  readonly fields: number;
  press(name: string): Promise<void>;
  fill(name: string, text: string): Promise<void>;
}

/** After this many presses of Tab a name counts as missing. */
const most = 150;

export function handOn(page: Page): Hand {
  const counted = { presses: 0, fields: 0 };
  const goOnTo = async (name: string) => {
    await page.waitForFunction(`[...document.querySelectorAll('a[href], button, input, select, textarea')].some(${isNamed(name)})`);
    for (let step = 0; step < most; step += 1) {
      if (await page.evaluate(`(${isNamed(name)})(document.activeElement)`)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  const focusIs = (selector: string) => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);
  return {
    get presses() {
      return counted.presses;
    },
    get fields() {
      return counted.fields;
    },
    async press(name) {
      counted.presses += 1;
      await goOnTo(name);
      await page.keyboard.press((await focusIs('[type="checkbox"]')) ? 'Space' : 'Enter');
    },
    async fill(name, text) {
      counted.fields += 1;
      await goOnTo(name);
      if (await focusIs('[type="time"]')) await page.keyboard.type(text);
      else await page.keyboard.sendCharacter(text);
    },
  };
}

const isNamed = (name: string): string =>
  `(element) => (element.labels?.[0]?.textContent ?? element.ariaLabel ?? element.textContent).trim().startsWith(${JSON.stringify(name)})`;
