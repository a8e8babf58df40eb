import { DirectoryFile } from '@corner/contracts';
import { findWrongAccounts } from '@corner/sandbox/directory';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
  running.payments.controls.registerAccount('acct_known');
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => await running[Symbol.asyncDispose]());

const store = (n: number, connected_account_id: string | null) => ({
  id: `0190a000-0000-7000-8000-00000000000${n}`,
  code: `S${n}`,
  name: 'Corner Coffee',
  connected_account_id,
});
const wrongIn = async (...accounts: readonly (string | null)[]) => {
  const { broker } = await running.service.backbone;
  const file = DirectoryFile.parse({ stores: accounts.map((account, n) => store(n, account)) });
  return await findWrongAccounts(file, { connection: broker.connection, namespace: broker.subject('') });
};

test('each account that the provider does not know is named with its place in the directory', async () => {
  expect(await wrongIn('acct_known', 'acct_typo', null, 'acct_other')).toEqual([
    'stores[1].connected_account_id: acct_typo is not known to the payment provider',
    'stores[3].connected_account_id: acct_other is not known to the payment provider',
  ]);
  expect(await wrongIn('acct_known', null)).toEqual([]);
});

test('while the provider is down the check fails, and names no account', async () => {
  running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: '/v1/accounts', times: 12 });
  await expect(wrongIn('acct_known')).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR' });
});
