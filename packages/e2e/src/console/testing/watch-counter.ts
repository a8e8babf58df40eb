import type { Page } from 'puppeteer-core';

export const watchCounter = (page: Page) =>
  page.evaluateOnNewDocument(`
    globalThis.counter = { notes: 0, locks: 0 };
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
      counter.notes += 1;
      return create.call(this);
    };
    const request = async () => {
      counter.locks += 1;
      return { release: async () => {} };
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });`);

export const untilNotes = async (page: Page, notes: number): Promise<void> =>
  void (await page.waitForFunction(`counter.notes >= ${notes}`));

export const locksOf = async (page: Page): Promise<number> => Number(await page.evaluate('counter.locks'));
