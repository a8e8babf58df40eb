import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { listDeadLetters } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { callerOf, callService, takeOverDirectory } from '@corner/operator';
import { testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { runCorner } from '../testing/run-corner.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let environment: TestEnvironment;
let database: pg.Client;
let connection: Awaited<ReturnType<typeof connectNats>>;

beforeAll(async () => {
  folder = await testFolder();
  environment = await sharedEnvironment();
  database = new pg.Client({ connectionString: environment.system.databaseUrl });
  await database.connect();
  connection = await connectNats(environment.system.natsUrl, 'test');
});

afterAll(async () => {
  // The directory service, where it runs, imports nothing while another producer publishes.
  if (environment?.system.services.directory) await takeOverDirectory(callerOf({ connection, namespace: '' }), { by: 'test' });
  await connection?.close();
  await database?.end();
  await folder[Symbol.asyncDispose]();
});

const run = (...args: readonly string[]) => runCorner(environment.system, args, { SERVICES_LEFT_OUT: 'directory' });

const parsed = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).output);

async function applyCustomers(...customers: readonly { readonly id: string; readonly name: string }[]): Promise<string> {
  const file = `${folder.path}/${randomUUID()}.json`;
  await writeFile(file, JSON.stringify({ customers }));
  return (await run('apply', file)).errors;
}

const rowsOf = async (id: string) => (await database.query('select name from loyalty.customer where id = $1', [id])).rows;

test('an event that cannot be processed becomes a dead letter while others are processed, and a retry processes it once', async () => {
  const [poison, sound] = [randomUUID(), randomUUID()];
  await database.query(`alter table loyalty.customer add constraint poison check (name <> 'Secret Person')`);
  const applying = applyCustomers({ id: poison, name: 'Secret Person' }, { id: sound, name: 'Sound' });
  await until(async () => (await rowsOf(sound)).length === 1, { describe: 'the other event to be processed' });

  const readDeadLetter = async () => (await callService({ connection, namespace: '' }, listDeadLetters('loyalty'), {})).dead_letters[0];
  const rows = async () => (await database.query('select event_id from loyalty.dead_letter where settled_at is null')).rows;
  await until(async () => (await rows()).length > 0, { describe: 'a dead letter' });
  expect(await readDeadLetter()).toBeDefined();
  const { dead_letters: deadLetters } = await parsed('dead-letters', 'list', '--service', 'loyalty');
  expect(deadLetters).toMatchObject([{ service: 'loyalty', type: 'customer', attempts: 5, aggregate_id: poison }]);
  expect(deadLetters[0].error).toContain('poison');
  expect(await applying).toContain('loyalty could not take in 1 of 2 events');

  const eventId: string = deadLetters[0].event_id;
  const shown = await run('dead-letters', 'show', eventId);
  expect(shown.output).toContain('withheld; its fields:');
  expect(shown.output + (await run('dead-letters', 'list')).output).not.toContain('Secret Person');
  expect(await run('dead-letters', 'show', eventId, '--payload')).toMatchObject({ code: 1, output: '' });
  expect((await run('dead-letters', 'show', eventId, '--payload', '--json')).output).toContain('Secret Person');

  const tooEarly = await run('dead-letters', 'retry', eventId, '--by', 'cy');
  expect(tooEarly.code).toBe(1);
  expect(tooEarly.output).toContain('failed: ');
  await database.query('alter table loyalty.customer drop constraint poison');
  const unconfirmed = await run('dead-letters', 'retry', '--all');
  expect(unconfirmed.code).toBe(1);
  expect(unconfirmed.errors).toContain('Retry one dead letter?');
  expect(await rowsOf(poison)).toEqual([]);
  expect(await parsed('dead-letters', 'retry', '--type', 'customer', '--yes', '--reason', 'mended', '--by', 'cy')).toMatchObject([
    { service: 'loyalty', event_id: eventId, outcome: 'retried' },
  ]);
  expect(await rowsOf(poison)).toEqual([{ name: 'Secret Person' }]);

  expect((await run('dead-letters', 'list')).output).toContain('no dead letters');
  expect((await parsed('dead-letters', 'list', '--all')).dead_letters).toContainEqual(
    expect.objectContaining({ event_id: eventId, settled_as: 'retried', settled_by: 'cy', settled_reason: 'mended' }),
  );
  expect(await run('dead-letters', 'retry', eventId)).toMatchObject({ code: 1 });
  const explained = await run('explain', eventId);
  expect(explained.code).toBe(0);
  expect(explained.output).toMatch(/orders processed customer[\s\S]*loyalty gave up customer[\s\S]*retried by cy/);
  expect(explained.output).not.toContain('Secret Person');
});

test('a replay of a range is counted and recorded, and awards no stamp twice', async () => {
  const since = new Date().toISOString();
  const story = await run('try', '--data', environment.folder);
  expect(story.errors).toBe('');
  const stamps = async () => (await database.query('select count(*)::int as n from loyalty.stamp')).rows[0].n;
  const before = await stamps();
  const replayed = await parsed('replay', '--service', 'loyalty', '--since', since, '--type', 'order.paid', '--yes', '--by', 'cy');
  expect(replayed).toMatchObject({ counted: 1, processed: 1, skipped: 0, failed: 0 });
  expect(await stamps()).toBe(before);
  const { rows } = await database.query('select by, type, counted::int, processed::int from loyalty.replay where id = $1', [
    replayed.replay_id,
  ]);
  expect(rows).toEqual([{ by: 'cy', type: 'order.paid', counted: 1, processed: 1 }]);
  const unknown = await run('replay', '--service', 'loyalty', '--since', '10m', '--to', 'unknownHandler', '--yes');
  expect(unknown.code).toBe(1);
  expect(unknown.errors).toContain('awardStampsWhenOrderPaid');
  expect(unknown.errors).toContain('fix     npx corner replay --help');
});

test('explain finds an order by its id, number or payment, in order of time, without personal data or a collection code', async () => {
  const { rows } = await database.query(
    'select id, order_number, payment_intent_id, collection_code from orders.orders order by created_at desc limit 1',
  );
  const { id, order_number, payment_intent_id, collection_code } = rows[0];
  const explained = await run('explain', id);
  expect(explained.code).toBe(0);
  expect(explained.output).toMatch(
    /was placed by customer[\s\S]*The provider moved [\d.]+ GBP from the customer[\s\S]*A refund of [\d.]+ GBP was requested by/,
  );
  expect(explained.output).toMatch(/had a stamp by order[\s\S]*orders published order\.refunded[\s\S]*loyalty processed order\.refunded/);
  for (const hidden of [...environment.system.run.customers.map(({ name }) => name), collection_code ?? 'none', 'Bo ', 'Cy '])
    expect(explained.output).not.toMatch(new RegExp(`\\b${hidden}\\b`));
  for (const name of [order_number, payment_intent_id]) expect((await run('explain', name)).output).toContain('A refund of');
  const times = (await parsed('explain', id)).facts.map(({ at }: { at: string }) => at);
  expect(times).toEqual([...times].sort());
});

test('explain finds an error response by its request id', async () => {
  const order = randomUUID();
  const answer = await fetch(`${environment.system.gatewayUrl}/api/v1/orders/${order}?store_id=${environment.system.run.stores[0]?.id}`, {
    headers: { Authorization: `Bearer ${environment.system.run.tokens.ana}` },
  });
  const { error } = (await answer.json()) as { error: { code: string; requestId: string } };
  await until(async () => (await run('explain', error.requestId)).code === 0, { describe: 'on record' });
  const explained = await run('explain', error.requestId);
  expect(explained.output).toContain(`orders responded to GET /api/v1/orders/{orderId} with ${answer.status} ${error.code}`);
  expect(explained.output).toContain('fix     ');
  expect(await run('explain', randomUUID())).toMatchObject({ code: 1, errors: expect.stringContaining('is in the logs only') });
  expect(await run('explain', 'S9-99999')).toMatchObject({ code: 1, errors: expect.stringContaining('no service knows such a number') });
});

test.each(['list', 'retry'])('a misspelled type is not taken for one without dead letters: dead-letters %s', async (command) => {
  const { code, output, errors } = await run('dead-letters', command, '--type', 'order.payed');
  expect([code, output]).toEqual([1, '']);
  expect(errors).toMatch(/no event has this type; there are .*order\.paid/);
});

test.each([['show'], ['retry'], ['discard', '--reason', 'none']])(
  'an id that is none is refused in three lines: dead-letters %s',
  async (...args) => {
    const [command = '', ...options] = args;
    const { code, errors } = await run('dead-letters', command, 'no-id', ...options);
    expect(code).toBe(1);
    expect(errors.trimEnd().split('\n')).toEqual([
      '  failed  nothing was done',
      '  why     event_id must be a UUID',
      `  fix     npx corner dead-letters ${command} --help`,
    ]);
  },
);

test('a service refuses an input that its contract does not allow with a sentence, and does not report a fault of its own', async () => {
  const invalid = { event_id: 'no-id', type: 7 } as unknown as Parameters<typeof callService<ReturnType<typeof listDeadLetters>>>[2];
  await expect(callService({ connection, namespace: '' }, listDeadLetters('loyalty'), invalid)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringMatching(/^input\.event_id: must be a UUID; input\.type: /),
  });
});
