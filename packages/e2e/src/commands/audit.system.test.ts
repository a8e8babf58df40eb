import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { runCorner } from '../testing/run-corner.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let database: pg.Client;
beforeAll(async () => {
  environment = await sharedEnvironment('whole');
  database = new pg.Client({ connectionString: environment.system.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
});

test('an operator lists a store that its owner created, and takes that back', async () => {
  const { body } = await asOwner('POST', 'directory/stores', null, { code: newCode(), name: 'Newly opened', status: 'live' });
  const { id, code } = body.store;
  const listed = async (query: string) =>
    (await asOwner('GET', `orders/stores?${query}`, null)).body.stores.map((one: { id: string }) => one.id);
  // Ids of stores rise with time, so the newest is on the last page.
  const isListed = async () => {
    for (let after = ''; ; ) {
      const ids: string[] = await listed(`limit=100${after}`);
      if (ids.includes(id)) return true;
      if (ids.length < 100) return false;
      after = `&after=${ids.at(-1)}`;
    }
  };
  await until(async () => (await listed(`code=${code}`)).includes(id), { describe: 'orders to know the store' });
  expect(await isListed()).toBe(false);
  expect(await corner('directory', 'list-store', code)).toMatchObject({ code: 0 });
  await until(isListed, { describe: 'the store to be listed' });
  expect(await corner('directory', 'list-store', code, '--with-account')).toMatchObject({ code: 0 });
  await until(async () => !(await isListed()), { describe: 'the store to be out of the list' });
});

const corner = (...args: readonly string[]) => runCorner(environment.system, args);
const verify = (...args: readonly string[]) => corner('audit', 'verify', ...args);
const faultsIn = (output: string) => output.replaceAll(/^ +ok .*\n/gm, '');

async function asOwner(method: string, path: string, storeId: string | null, body?: object) {
  const stores = storeId === null ? [] : [storeId];
  const token = await environment.system.tokens.token({ typ: 'merchant', sub: bo, scope: 'merchant:read', stores });
  const response = await fetch(`${environment.system.gatewayUrl}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
  return { status: response.status, body: (await response.json()) as any };
}
const bo = randomUUID();
const newCode = () => randomUUID().slice(0, 8);

test('a look at a card is in the store’s record, and the command says when the record was cut, also of one that fits', async () => {
  const { body } = await asOwner('POST', 'directory/stores', null, { code: newCode(), name: 'Audited', time_zone: 'Europe/London' });
  const storeId: string = body.store.id;
  const customerId = randomUUID();
  const card = `loyalty/customer-state?store_id=${storeId}&customer_id=${customerId}`;
  await until(async () => (await asOwner('GET', card, storeId)).status === 200, { describe: 'loyalty to know the store' });
  expect((await asOwner('GET', card, storeId)).status).toBe(200);
  const record = async () => (await asOwner('GET', `directory/stores/${storeId}/data-access`, storeId)).body.entries;
  const entries = await until(async () => ((await record()).length === 2 ? await record() : false), {
    describe: 'both reads to be recorded',
  });
  expect(entries[0]).toMatchObject({ id: '2', by: { kind: 'merchant', id: bo }, customer_id: customerId, what: 'card' });

  const whole = await verify();
  expect([whole.code, whole.output]).toEqual([0, expect.stringMatching(new RegExp(`ok +store ${storeId}: 2 rows, head [0-9a-f]{64}\n`))]);
  const head = new RegExp(`store ${storeId}: .* head ([0-9a-f]{64})`).exec(whole.output)?.[1] ?? '';
  expect((await verify('--head', head)).code).toBe(0);

  await database.query('set session_replication_role = replica');
  await database.query('delete from directory.data_access where chain = $1 and number = 2', [storeId]);
  const cut = await verify();
  expect([cut.code, faultsIn(cut.output)]).toEqual([1, `  no  store ${storeId}: row 2 is missing\n`]);
  await database.query(
    `update directory.data_access_head h set number = 1, hash = (select hash from directory.data_access a where a.chain = h.chain) where chain = $1`,
    [storeId],
  );
  expect((await verify()).code).toBe(0);
  const kept = await verify('--head', head);
  expect([kept.code, kept.output]).toEqual([1, expect.stringContaining(`no row has the kept head ${head}`)]);
  const { chains, missing } = JSON.parse((await verify('--json', '--head', head)).output);
  expect(missing).toEqual([head]);
  expect(chains).toContainEqual(expect.objectContaining({ store_id: storeId, rows: 1, broken: null }));
});

test('what an operator is shown of a customer is in the record of the store, under the operator’s name, and every chain fits', async () => {
  const { body } = await asOwner('POST', 'directory/stores', null, { code: newCode(), name: 'Shown', time_zone: 'Europe/London' });
  const storeId: string = body.store.id;
  const [customerId, eventId] = [randomUUID(), randomUUID()] as const;
  const payload = { customerid: customerId, storeid: storeId, data: { name: 'Ada' } };
  await database.query(
    `insert into loyalty.dead_letter (event_id, type, subject, payload, error, attempts) values ($1, 'directory.customer', 'x', $2, 'Error: x', 5)`,
    [eventId, JSON.stringify(payload)],
  );
  await until(
    async () => (await asOwner('GET', `loyalty/customer-state?store_id=${storeId}&customer_id=${customerId}`, storeId)).status === 200,
    {
      describe: 'loyalty to know the store',
    },
  );
  await database.query(`insert into loyalty.card (store_id, customer_id) values ($1, $2)`, [storeId, customerId]);
  const shown = await corner('dead-letters', 'show', eventId, '--payload', '--json', '--by', 'olu');
  expect([shown.code, shown.output]).toEqual([0, expect.stringContaining('Ada')]);
  for (let n = 0; n < 2; n += 1)
    expect((await corner('explain', customerId, '--by', 'olu')).output).toContain(`got a card of store ${storeId}`);
  const record = async () => (await asOwner('GET', `directory/stores/${storeId}/data-access`, storeId)).body.entries;
  const entries = await until(async () => ((await record()).length >= 3 ? await record() : false), {
    describe: 'three reads to be recorded',
  });
  expect(entries.map(({ by, what }: { by: object; what: string }) => ({ by, what }))).toEqual([
    { by: { kind: 'operator', id: 'olu', name: null }, what: 'story' },
    { by: { kind: 'operator', id: 'olu', name: null }, what: 'payload' },
    { by: { kind: 'merchant', id: bo, name: 'Owner' }, what: 'card' },
  ]);
  const whole = await verify();
  expect([whole.code, whole.output]).toEqual([0, expect.stringContaining(`store ${storeId}: 3 rows`)]);
  expect(await corner('dead-letters', 'discard', eventId, '--reason', 'it was made up', '--by', 'olu')).toMatchObject({ code: 0 });
});
