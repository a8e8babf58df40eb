import { expect } from '@jest/globals';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { clickButton, lose, untilText } from './console-in-browser.ts';
import type { Phone } from './day-in-a-shop.ts';

/**
 * Approves the stamp that waits by a press of the button whose response is lost, and another one, which has the key of the first. The first is by
 * the keyboard, whose focus stays.
 */
export async function approveStamp(page: Page, { owner }: Phone): Promise<void> {
  await page.waitForSelector('#main .card');
  const keys: (string | undefined)[] = [];
  const note = (request: HTTPRequest) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  };
  page.on('request', note);
  const again = await lose(page, '/api/v1/loyalty', (body, key) =>
    owner.POST('/api/v1/loyalty/pending-stamps/resolve', { params: { header: { 'Idempotency-Key': key } }, body }),
  );
  await page.focus('#main .card button.primary');
  await page.keyboard.press('Enter');
  await untilText(page, '#main .card [role="alert"]', 'no response came');
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Approve/);
  // What waits now cannot be read, so the button is still there.
  await clickButton(page, '#main .card', 'Approve');
  await untilText(page, '.announced', 'The stamp is approved');
  page.off('request', note);
  expect(keys).toEqual([expect.any(String), keys[0]]);
  await again();
  await untilText(page, '#main', 'Nothing waits for approval.');
}
