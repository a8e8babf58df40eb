import { stores } from '@corner/sandbox/demo';
import { expect } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { clickButton, lose, untilText } from './console-in-browser.ts';
import { card, type Phone } from './day-in-a-shop.ts';

/**
 * Refunds a pound of an order by a press of the button whose response is lost, and by two in one turn after the page was loaded again: it is one
 * refund.
 */
export async function refundInPart(page: Page, { owner, mine }: Phone, orderId: string): Promise<void> {
  await askForPound(page, orderId, 'The croissant was cold.');
  // The refund is made, but its response is lost, and the gateway serves no order: the dialog and the board stay as they are.
  const params = { path: { orderId } };
  const again = await lose(page, '/api/v1/orders', (body) => owner.POST('/api/v1/orders/{orderId}/refund', { params, body }));
  await clickButton(page, 'dialog form', 'Refund £1.00');
  await untilText(page, 'dialog form [role="alert"]', 'NO_CONNECTION');
  await untilText(page, '#main > [role="alert"]', 'NO_CONNECTION');
  await page.waitForSelector(card('collected', orderId));
  await again();
  await page.reload({ waitUntil: 'load' });
  await askForPound(page, orderId, 'A cold croissant.');
  await page.evaluate(`(() => {
    const form = [...document.querySelectorAll('dialog form')].at(-1);
    form.requestSubmit();
    form.requestSubmit();
  })()`);
  await untilText(page, '.announced', '£1.00 of order');
  await untilText(page, card('collected', orderId), '£1.00 refunded');
  expect(await mine(orderId)).toMatchObject({ refunded_pence: 100, status: 'partially_refunded' });
  const { data } = await owner.GET('/api/v1/orders/{orderId}/log', { params: { ...params, query: { store_id: stores.coffee.id } } });
  expect(data.entries.filter(({ title }) => title === 'A refund was requested')).toHaveLength(1);
}

/** Fills in the dialog for a part of an order. */
async function askForPound(page: Page, orderId: string, reason: string): Promise<void> {
  await clickButton(page, card('collected', orderId), 'Details');
  await clickButton(page, 'dialog', 'Refund');
  await page.waitForSelector('dialog[open] input[type="radio"]:not(:checked)');
  await page.click('dialog[open] input[type="radio"]:not(:checked)');
  await page.waitForSelector('dialog input[inputmode="decimal"]');
  await page.$eval('dialog input[inputmode="decimal"]', (field) => (field as unknown as { select(): void }).select());
  await page.type('dialog input[inputmode="decimal"]', '1.00');
  await page.type('dialog textarea', reason);
}
