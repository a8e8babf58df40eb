import { randomUUID } from 'node:crypto';
import { people, stores } from '@corner/sandbox/demo';
import pg from 'pg';
import type { Page } from 'puppeteer-core';
import { type ConsoleInBrowser, clickButton, goTo, lose, untilText } from './console-in-browser.ts';
import type { Phone } from './day-in-a-shop.ts';

const store_id = stores.coffee.id;

/** Redeems a voucher by a press of the button whose response is lost, and another one, which shows the code for the till. */
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

async function giveVoucher(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into loyalty.voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, minted_at, expires_at)
       select $1, store_id, $2, 'GIVEN', reward_title, voucher_type, reward, 'active', now(), now() + interval '9 days'
       from loyalty.programme where store_id = $3`,
      [randomUUID(), people.ana.id, store_id],
    );
  } finally {
    await client.end();
  }
}
