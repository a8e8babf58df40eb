import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { startWalletTestbed, type WalletTestbed } from '../testing/testbed.ts';

let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await startWalletTestbed();
});
afterAll(async () => {
  await testbed[Symbol.asyncDispose]();
});

test('the list has the caller’s own passes; an unknown store is refused with STORE_NOT_FOUND', async () => {
  const [one, other] = [await testbed.guest(), await testbed.guest()];
  const serials = [(await one.passes())[0].serial, (await one.passes())[0].serial, (await other.passes())[0].serial];
  expect(new Set(serials).size).toBe(2);
  const token = await testbed.running.issuer.token({ typ: 'customer' });
  const unknown = `/api/v1/notifications/wallet/passes?store_id=${randomUUID()}`;
  const refused = await testbed.call('GET', unknown, { Authorization: `Bearer ${token}` });
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([404, 'STORE_NOT_FOUND']);
});

test('concurrent requests create each pass once', async () => {
  const guest = await testbed.guest();
  await testbed.publish(guest.voucher(1, randomUUID()), guest.voucher(2, randomUUID()));
  const lists = await Promise.all(Array.from({ length: 10 }, () => guest.passes()));
  expect(new Set(lists.flat().map(({ serial }) => serial)).size).toBe(3);
  const count = await testbed.running.service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from pass where customer_id = ${guest.customerId}`);
  expect(count).toBe(3);
});

test('a store_id that is not a UUID is refused with VALIDATION_FAILED, and a merchant’s token with WRONG_TOKEN_TYPE', async () => {
  const refusal = async (typ: 'customer' | 'merchant', storeId: string) => {
    const token = await testbed.running.issuer.token({ typ });
    const address = `/api/v1/notifications/wallet/passes?store_id=${storeId}`;
    const response = await testbed.call('GET', address, { Authorization: `Bearer ${token}` });
    return ((await response.json()) as { error: { code: string } }).error.code;
  };
  expect(await refusal('customer', 'no-uuid')).toBe('VALIDATION_FAILED');
  expect(await refusal('merchant', randomUUID())).toBe('WRONG_TOKEN_TYPE');
});
