import { randomUUID } from 'node:crypto';
import { people, stores } from '@corner/sandbox/demo';
import { expect } from '@jest/globals';
import pg from 'pg';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { type ConsoleInBrowser, clickButton, goTo, lose, untilText } from './console-in-browser.ts';
import { card, type Phone } from './day-in-a-shop.ts';

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
  await clickButton(page, '#main .card', 'Approve');
  await untilText(page, '.announced', 'The stamp is approved');
  page.off('request', note);
  expect(keys).toEqual([expect.any(String), keys[0]]);
  await again();
  await page.reload({ waitUntil: 'load' });
  await untilText(page, '#main', 'Nothing waits for approval.');
}

const store_id = stores.coffee.id;

export async function redeemVoucher(page: Page, console: ConsoleInBrowser, { owner }: Phone): Promise<void> {
  await giveVoucher(console.environment.system.databaseUrl);
  await goTo(page, `${console.url}/shop/${store_id}/customers/${people.ana.id}`);
  await clickButton(page, '#main', 'Redeem');
  const again = await lose(page, '/api/v1/loyalty/redemptions', (body, key) =>
    owner.POST('/api/v1/loyalty/redemptions', { params: { header: { 'Idempotency-Key': key } }, body }),
  );
  await clickButton(page, 'dialog', 'Redeem');
  await untilText(page, 'dialog [role="alert"]', 'NO_CONNECTION');
  await untilText(page, '#main', 'No voucher.');
  await again();
  await clickButton(page, 'dialog', 'Redeem');
  await untilText(page, '#main', 'The code for the till is');
}

export async function giveVoucher(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into loyalty.voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, minted_at, expires_at)
       select $1, store_id, $2, '7K2M9QXR4D', reward_title, voucher_type, reward, 'active', now(), now() + interval '9 days'
       from loyalty.programme where store_id = $3`,
      [randomUUID(), people.ana.id, store_id],
    );
  } finally {
    await client.end();
  }
}

export async function refundInPart(page: Page, { owner, mine }: Phone, orderId: string): Promise<void> {
  await askForPound(page, orderId, 'The croissant was cold.');
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

async function askForPound(page: Page, orderId: string, reason: string): Promise<void> {
  await clickButton(page, card('collected', orderId), 'Details');
  await clickButton(page, 'dialog', 'Refund');
  await typeAmount(page, '1000');
  await untilText(page, 'dialog .cell-error', 'is left to refund.');
  await clickButton(page, 'dialog', 'All of it');
  await untilText(page, 'dialog form', 'is left to refund.');
  await typeAmount(page, '1.00');
  await page.type('dialog textarea', reason);
}

async function typeAmount(page: Page, amount: string): Promise<void> {
  await page.waitForSelector('dialog input[inputmode="decimal"]');
  await page.$eval('dialog input[inputmode="decimal"]', (field) => (field as unknown as { select(): void }).select());
  await page.type('dialog input[inputmode="decimal"]', amount);
}
