import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { listDeadLetters } from '@corner/contracts';
import { callService, connectNats, type RunningSystem, startSystem } from '@corner/sandbox';
import { testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';

const corner = `${import.meta.dirname}/../main.ts`;
const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...env } = process.env;

let folder: Awaited<ReturnType<typeof testFolder>>;
let system: RunningSystem;
let database: pg.Client;
let connection: Awaited<ReturnType<typeof connectNats>>;

beforeAll(async () => {
  folder = await testFolder();
  system = await startSystem({ dataDir: folder.path, ports: 'any', env: { ...env, LOG_LEVEL: 'info' } });
  database = new pg.Client({ connectionString: system.databaseUrl });
  await database.connect();
  connection = await connectNats(system.natsUrl, 'test');
});

afterAll(async () => {
  await connection?.close();
  await database?.end();
  await system?.stop();
  await folder[Symbol.asyncDispose]();
});

/** Runs a command to its end, as an operator who knows the broker's address and nothing else. */
function said(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [corner, ...args], { env: { ...env, NATS_URL: system.natsUrl } }, (error, output, errors) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors });
    });
  });
}

const parsed = async (...args: readonly string[]) => JSON.parse((await said(...args, '--json')).output);

/** Publishes customers by the command line; it says that one was set aside. */
async function applyCustomers(...customers: readonly { readonly id: string; readonly name: string }[]): Promise<string> {
  const file = `${folder.path}/${randomUUID()}.json`;
  await writeFile(file, JSON.stringify({ customers }));
  return (await said('apply', file)).errors;
}

/** What loyalty holds of a customer. */
const rowsOf = async (id: string) => (await database.query('select name from loyalty.customer where id = $1', [id])).rows;

test('a poisoned event is set aside and seen at once, others flow on, and mended it has its effect once', async () => {
  const [poison, sound] = [randomUUID(), randomUUID()];
  await database.query(`alter table loyalty.customer add constraint poison check (name <> 'Secret Person')`);
  const applying = applyCustomers({ id: poison, name: 'Secret Person' }, { id: sound, name: 'Sound' });
  await until(async () => (await rowsOf(sound)).length === 1, { describe: 'the others flow on' });

  // As the command does it, without a process to start: the command itself comes right after.
  const seen = async () => (await callService({ connection, namespace: '' }, listDeadLetters('loyalty'), {})).dead_letters[0];
  const rows = async () => (await database.query('select event_id from loyalty.dead_letter')).rows;
  await until(async () => (await rows()).length > 0, { describe: 'a dead letter' });
  expect(await seen()).toBeDefined();
  const { dead_letters: deadLetters } = await parsed('dead-letters', 'list', '--service', 'loyalty');
  expect(deadLetters).toMatchObject([{ service: 'loyalty', type: 'customer', attempts: 5, aggregate_id: poison }]);
  expect(deadLetters[0].error).toContain('poison');
  expect(await applying).toContain('loyalty could not take in 1 of 2 events');

  const eventId: string = deadLetters[0].event_id;
  const shown = await said('dead-letters', 'show', eventId);
  expect(shown.output).toContain('withheld; its fields:');
  expect(shown.output + (await said('dead-letters', 'list')).output).not.toContain('Secret Person');
  expect(await said('dead-letters', 'show', eventId, '--payload')).toMatchObject({ code: 1, output: '' });
  expect((await said('dead-letters', 'show', eventId, '--payload', '--json')).output).toContain('Secret Person');

  // Not mended yet: it fails again, and says so by its exit code.
  const early = await said('dead-letters', 'retry', eventId, '--by', 'cy');
  expect(early.code).toBe(1);
  expect(early.output).toContain('failed: ');
  await database.query('alter table loyalty.customer drop constraint poison');
  // Many are counted first, and nobody is here to agree.
  const unasked = await said('dead-letters', 'retry', '--all');
  expect(unasked.code).toBe(1);
  expect(unasked.errors).toContain('Retry one dead letter?');
  expect(await rowsOf(poison)).toEqual([]);
  expect(await parsed('dead-letters', 'retry', '--type', 'customer', '--yes', '--by', 'cy')).toMatchObject([
    { service: 'loyalty', event_id: eventId, outcome: 'retried' },
  ]);
  expect(await rowsOf(poison)).toEqual([{ name: 'Secret Person' }]);

  expect((await said('dead-letters', 'list')).output).toContain('no dead letters');
  expect((await parsed('dead-letters', 'list', '--all')).dead_letters).toMatchObject([
    { event_id: eventId, settled_as: 'retried', settled_by: 'cy' },
  ]);
  expect(await said('dead-letters', 'retry', eventId)).toMatchObject({ code: 1 });
  const told = await said('explain', eventId);
  expect(told.code).toBe(0);
  expect(told.output).toMatch(/orders processed customer[\s\S]*loyalty gave up customer[\s\S]*retried by cy/);
  expect(told.output).not.toContain('Secret Person');
});

test('a range is counted, replayed and on record, and a stamp is not awarded twice by it', async () => {
  const story = await said('try', '--data', folder.path);
  expect(story.errors).toBe('');
  const stamps = async () => (await database.query('select count(*)::int as n from loyalty.stamp')).rows[0].n;
  const before = await stamps();
  const replayed = await parsed('replay', '--service', 'loyalty', '--since', '10m', '--type', 'order.paid', '--yes', '--by', 'cy');
  expect(replayed).toMatchObject({ counted: 1, processed: 1, skipped: 0, failed: 0 });
  expect(await stamps()).toBe(before);
  const { rows } = await database.query('select by, type, counted::int, processed::int from loyalty.replay where id = $1', [
    replayed.replay_id,
  ]);
  expect(rows).toEqual([{ by: 'cy', type: 'order.paid', counted: 1, processed: 1 }]);
  const unknown = await said('replay', '--service', 'loyalty', '--since', '10m', '--to', 'nobody', '--yes');
  expect(unknown.code).toBe(1);
  expect(unknown.errors).toContain('awardStampsWhenOrderPaid');
});

test('an order’s story is told by its id, its number and its payment, in order of time, without a person or a code', async () => {
  const { rows } = await database.query(
    'select id, order_number, payment_intent_id, collection_code from orders.orders order by created_at limit 1',
  );
  const { id, order_number, payment_intent_id, collection_code } = rows[0];
  const told = await said('explain', id);
  expect(told.code).toBe(0);
  expect(told.output).toMatch(
    /was placed by customer[\s\S]*The provider moved [\d.]+ GBP from the customer[\s\S]*A refund of [\d.]+ GBP was asked for by/,
  );
  expect(told.output).toMatch(/had a stamp by order[\s\S]*orders published order\.refunded[\s\S]*loyalty processed order\.refunded/);
  for (const hidden of [...system.run.customers.map(({ name }) => name), collection_code ?? 'none', 'Bo ', 'Cy '])
    expect(told.output).not.toMatch(new RegExp(`\\b${hidden}\\b`));
  for (const name of [order_number, payment_intent_id]) expect((await said('explain', name)).output).toContain('A refund of');
  const times = (await parsed('explain', id)).facts.map(({ at }: { at: string }) => at);
  expect(times).toEqual([...times].sort());
});

test('a request id of an error body leads to what happened in one step', async () => {
  const order = randomUUID();
  const answer = await fetch(`${system.gatewayUrl}/api/v1/orders/${order}?store_id=${system.run.stores[0]?.id}`, {
    headers: { Authorization: `Bearer ${system.run.tokens.ana}` },
  });
  const { error } = (await answer.json()) as { error: { code: string; requestId: string } };
  await until(async () => (await said('explain', error.requestId)).code === 0, { describe: 'on record' });
  const told = await said('explain', error.requestId);
  expect(told.output).toContain(`orders answered GET /api/v1/orders/{orderId} with ${answer.status} ${error.code}`);
  expect(told.output).toContain('fix     ');
  expect((await said('explain', randomUUID())).code).toBe(1);
});
