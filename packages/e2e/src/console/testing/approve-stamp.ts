import type { Page } from 'puppeteer-core';
import { clickButton, lose, untilText } from './console-in-browser.ts';
import type { Phone } from './day-in-a-shop.ts';

/** Approves the stamp that waits by a press of the button whose response is lost, and another one, whose result is that of the first. */
export async function approveStamp(page: Page, { owner }: Phone): Promise<void> {
  await page.waitForSelector('#main .card');
  const again = await lose(page, '/api/v1/loyalty', (body, key) =>
    owner.POST('/api/v1/loyalty/pending-stamps/resolve', { params: { header: { 'Idempotency-Key': key } }, body }),
  );
  await clickButton(page, '#main .card', 'Approve');
  await untilText(page, '#main .card [role="alert"]', 'no response came');
  // What waits now cannot be read, so the button is still there.
  await clickButton(page, '#main .card', 'Approve');
  await untilText(page, '.announced', 'The stamp is approved');
  await again();
  await untilText(page, '#main', 'Nothing waits for approval.');
}
