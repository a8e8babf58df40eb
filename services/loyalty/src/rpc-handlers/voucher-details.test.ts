import { randomUUID } from 'node:crypto';
import { voucherDetails } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop } from '../testing/shop.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('a voucher’s code and its last day by the store’s clock are read by its customer and store alone', async () => {
  // One second to midnight in Auckland is noon of the same day in London.
  const shop = await openShop(running, { goal: 1, voucher_days: 10 }, { time_zone: 'Pacific/Auckland' });
  const customer = randomUUID();
  const { voucher_code: code } = (await shop.grant(customer)).body;
  const [voucher] = (await shop.state(customer)).body.active_vouchers;
  const of = { voucher_id: voucher.id, customer_id: customer, store_id: shop.storeId };
  expect((await running.call(voucherDetails, of)).output).toEqual({ code, expires_at: voucher.expires_at, last_day: '2026-05-11' });
  for (const other of [{ customer_id: randomUUID() }, { store_id: randomUUID() }, { voucher_id: randomUUID() }])
    expect((await running.call(voucherDetails, { ...of, ...other })).problem).toBe('VOUCHER_NOT_FOUND');
  expect(JSON.stringify(running.lines)).not.toContain(code);
});
