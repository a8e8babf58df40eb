import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { connectNats } from '@corner/nats';
import { applyDirectory } from '@corner/operator';
import { people, stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { callApi } from '../testing/call-api.ts';
import { basket, newShopper, pay, type Shopper } from '../testing/order-scenario.ts';
import { cornerProgram } from '../testing/run-corner.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { visited } from '../testing/visited.ts';
import { type Marks, marksInStreams, marksInTables, marksOutside } from './find-marks.ts';

// In a process of its own: the directory service runs in this system alone.

const run = promisify(execFile);

const mark = () => `zq${randomBytes(5).toString('hex')}`;
const person = {
  name: mark(),
  email: `${mark()}@mail.example`,
  phone: `+4477009${Math.floor(10_000 + Math.random() * 89_999)}`,
  'device of the profile': mark(),
  'name of a device': mark(),
  'token of a device': `token-of-a-phone-${randomUUID()}`,
  'device that asked for a code': mark(),
  'place that asked for a code': mark(),
  'note of a line': mark(),
  'table of an order': mark(),
  'reason of a refund': mark(),
  'name in the queue': mark(),
  'phone in the queue': `+4478001${Math.floor(10_000 + Math.random() * 89_999)}`,
} satisfies Marks;
const onItsWay = { 'note of a delay': mark() };
const marks: Marks = { ...person, ...onItsWay };

const coffee = stores.coffee.id;
let environment: TestEnvironment;
let shopper: Shopper;
let database: pg.Client;

beforeAll(async () => {
  environment = await startTestEnvironment({ LOG_LEVEL: 'trace' }, { optional: ['directory'] });
  shopper = await newShopper(environment.system);
  database = new pg.Client({ connectionString: environment.system.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await environment?.[Symbol.asyncDispose]();
});

const call = (method: string, path: string, body?: object, token: string | null = shopper.customer) =>
  callApi(environment.system, method, path, token, body);

const hasRow = async (query: string, ...values: unknown[]) => ((await database.query(query, values)).rowCount ?? 0) > 0;

async function liveWithCorner(): Promise<void> {
  const profile = {
    name: person.name,
    email: person.email,
    phone: person.phone,
    push_devices: [{ id: person['device of the profile'], platform: 'ios' }],
  };
  await call('PATCH', '/directory/me', profile);
  for (const table of ['loyalty.customer', 'queue.customer', 'notifications.customer', 'orders.contact'])
    await until(() => hasRow(`select from ${table} where name = $1`, person.name), { describe: `the name in ${table}` });
  await call('POST', '/notifications/devices', {
    platform: 'android',
    token: person['token of a device'],
    name: person['name of a device'],
  });
  await call('POST', '/notifications/preferences', { storeId: coffee, stampEventsEnabled: false });
  await call('POST', '/notifications/marketing-opt-in', { store_id: coffee, accepted: true });
  const hints = { device_info: person['device that asked for a code'], location_info: person['place that asked for a code'] };
  await call('POST', '/loyalty/stamp-codes', { store_id: coffee, ttl_seconds: 60, ...hints });

  const { items, ...rest } = basket(shopper.key);
  const [first, ...others] = items;
  const order = { ...rest, items: [{ ...first, note: person['note of a line'] }, ...others] };
  const table = { mode: 'table', table_number: person['table of an order'] };
  const placed = await call('POST', '/orders', { ...order, fulfilment: table });
  await pay(environment.system, environment.history, placed.payment_intent_id);
  await call('POST', '/orders/confirm', { store_id: coffee, payment_intent_id: placed.payment_intent_id });
  await call(
    'POST',
    `/orders/${placed.order_id}/notify-delay`,
    { store_id: coffee, delayMinutes: 10, note: onItsWay['note of a delay'] },
    shopper.merchant,
  );
  for (const to_status of ['preparing', 'ready', 'collected'])
    await call('PATCH', `/orders/${placed.order_id}/fulfilment`, { store_id: coffee, to_status }, shopper.merchant);
  const refund = { store_id: coffee, reason: person['reason of a refund'], amount_pence: 100, refund_attempt_id: randomUUID() };
  await call('POST', `/orders/${placed.order_id}/refund`, refund, shopper.merchant);
  await until(() => hasRow('select from loyalty.card where customer_id = $1', shopper.customerId), { describe: 'the card' });
  await call('GET', `/notifications/wallet/passes?store_id=${coffee}`);

  const guest = { guest_name: person['name in the queue'], guest_phone: person['phone in the queue'] };
  const { entry_id } = await call('POST', '/queue/join', { store_id: stores.cuts.id, ...guest }, null);
  await call('POST', '/queue/join', { store_id: stores.cuts.id, entry_id });
  await call('POST', '/queue/leave', { entry_id });
}

test('services whose databases are restored to before an erasure erase the person again', async () => {
  const { customerId: id, customer } = await newShopper(environment.system);
  await call('PATCH', '/directory/me', { name: 'Zoe' }, customer);
  const tables = { orders: 'contact', loyalty: 'customer', queue: 'customer', notifications: 'customer' } as const;
  const names = Object.keys(tables) as (keyof typeof tables)[];
  const rowOf = async (name: (typeof names)[number]) => {
    const { rows } = await database.query(
      `select to_jsonb(c) as row from ${name}.${tables[name]} c where to_jsonb(c)::text like '%' || $1 || '%'`,
      [id],
    );
    return rows[0]?.row as object | undefined;
  };
  const before = new Map<string, object>();
  for (const name of names) before.set(name, await until(() => rowOf(name), { describe: `the customer at ${name}` }));
  await call('DELETE', '/directory/me', undefined, customer);
  const erased = (name: string) => hasRow(`select from ${name}.erased_customer where customer_id = $1 and finished_at is not null`, id);
  for (const name of names) await until(() => erased(name), { describe: `${name} to have erased` });

  for (const name of names) {
    const service = environment.system.services[name];
    await service.stop();
    await database.query(`set search_path to ${name}`);
    await database.query('delete from erased_customer where customer_id = $1', [id]);
    await database.query(`delete from inbox where type = 'customer.erased'`);
    await database.query('delete from snapshot_version where object_id = $1', [id]);
    const table = tables[name];
    await database.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [before.get(name)]);
    await service.restart();
    await until(() => erased(name), { describe: `${name} to erase again` });
    expect(await rowOf(name)).toBeUndefined();
  }
});

test('an operator sees what a store asks for, and erases the person by the command line', async () => {
  const asking = await newShopper(environment.system);
  await call('PATCH', '/directory/me', { name: 'Zoe' }, asking.customer);
  await visited(database, coffee, asking.customerId);
  const path = `/directory/stores/${coffee}/customers/${asking.customerId}/erasure-requests`;
  const { receipt } = await call('POST', path, {}, asking.merchant);
  const corner = async (...args: readonly string[]) => {
    const env = { ...process.env, NATS_URL: environment.system.natsUrl };
    return (await run(process.execPath, [cornerProgram, 'erase', ...args, '--by', 'olu'], { env })).stdout;
  };
  const line = async () => (await corner('list')).split('\n').find((text) => text.includes(asking.customerId));
  expect(await line()).toMatch(new RegExp(`requested .*receipt ${receipt}`));
  await corner(asking.customerId, '--yes');
  await until(async () => (await call('GET', `/directory/erasures/${receipt}`, undefined, null)).certificate.state === 'done', {
    describe: 'every service to have erased the customer',
  });
  expect(await line()).toBeUndefined();
  expect(await corner('show', receipt)).toMatch(/done, asked for by merchant.*directory: done.*The profile was emptied.*loyalty: done/s);
});

// The last test: it publishes as another producer, after which the directory refuses changes.
test('a person is exported whole, erased everywhere, and stays erased when something about them comes late', async () => {
  await liveWithCorner();
  expect((await marksInTables(environment, marks)).length).toBeGreaterThan(10);
  const sums =
    'select sum(total_pence)::int as total, sum(refunded_pence)::int as refunded, sum(tip_pence)::int as tips from orders.orders';
  const { rows: before } = await database.query(sums);

  const exported = JSON.stringify(await call('GET', '/directory/me/export'));
  const notKept = ['device that asked for a code', 'place that asked for a code', 'name in the queue'];
  expect(Object.entries(marks).flatMap(([name, value]) => (exported.includes(value) || notKept.includes(name) ? [] : [name]))).toEqual([]);

  const { receipt } = await call('DELETE', '/directory/me');
  const certificate = async () => (await call('GET', `/directory/erasures/${receipt}`, undefined, null)).certificate;
  await until(async () => (await certificate()).state === 'done', { describe: 'every service to have erased the customer' });
  expect((await certificate()).services.map(({ service, state }: { service: string; state: string }) => `${service} ${state}`)).toEqual(
    ['directory', 'orders', 'loyalty', 'queue', 'notifications'].map((service) => `${service} done`),
  );
  await lookEverywhere();
  expect((await database.query(sums)).rows).toEqual(before);

  await arriveLate();
  await lookEverywhere();
});

async function lookEverywhere(): Promise<void> {
  // Responses to requests with an Idempotency-Key are kept for a day: pretend it is the next day.
  for (const schema of ['orders', 'loyalty', 'queue', 'notifications', 'directory'])
    await database.query(`delete from ${schema}.idempotency_key`);
  expect(await marksInTables(environment, marks)).toEqual([]);
  expect(await marksInStreams(environment, person)).toEqual([]);
  expect(await marksOutside(environment, marks)).toEqual([]);
}

async function arriveLate(): Promise<void> {
  const refused = /401.*was erased/;
  await expect(call('PATCH', '/directory/me', { name: person.name })).rejects.toThrow(refused);
  await expect(call('POST', '/orders', basket(randomUUID()))).rejects.toThrow(refused);
  const device = { platform: 'android', token: person['token of a device'], name: person['name of a device'] };
  await expect(call('POST', '/notifications/devices', device)).rejects.toThrow(refused);
  await expect(call('POST', '/queue/join', { store_id: stores.cuts.id })).rejects.toThrow(refused);

  const connection = await connectNats(environment.system.natsUrl, 'e2e');
  const customer = { id: shopper.customerId, name: person.name, email: person.email, phone: person.phone };
  const late = { stores: [], customers: [customer, { id: people.ana.id, name: 'Ana' }] };
  try {
    await applyDirectory(late as never, { connection });
    for (const table of ['loyalty.customer', 'queue.customer', 'notifications.customer'])
      await until(() => hasRow(`select from ${table} where id = $1 and name = 'Ana'`, people.ana.id), {
        describe: `the snapshots in ${table}`,
      });
    expect(await marksInTables(environment, marks)).toEqual([]);
    await applyDirectory({ stores: [], customers: [{ id: shopper.customerId }] } as never, { connection });
  } finally {
    await connection.close();
  }
}
