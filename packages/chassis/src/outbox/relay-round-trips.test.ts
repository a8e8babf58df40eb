import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { RunningService } from '../service.ts';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, type ProducerContext, producer } from '../testing/services.ts';
import { logStatements, type StatementLog } from '../testing/statement-log.ts';
import { beginNumbering, lead } from './leadership.ts';
import { takeBatch } from './relay-batches.ts';

let platform: Platform;
let log: StatementLog;
let orders: RunningService<ProducerContext>;
const pollMs = 1_000;

beforeAll(async () => {
  platform = await preparePlatform();
  log = await logStatements(platform.database.roleUrl('orders'), 'orders relay');
  orders = await platform.start(producer(), {}, { DATABASE_URL: log.url });
  await orders.backbone;
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await log[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

let published = 0;
const change = async () => {
  await orders.database.transaction((tx) => changeAndPublish(tx, newThing(), storeId));
  published += 1;
};
const sentSince = (start: number) => log.sent.slice(start);
const count = (names: readonly string[], name: string) => names.filter((sent) => sent === name).length;

test('an idle relay sends its poll, and no other statement', async () => {
  await change();
  await untilAcknowledged();
  const startedAt = performance.now();
  const start = log.sent.length;
  await until(() => count(sentSince(start), 'take-batch') >= 3, { describe: 'polls' });
  const sent = sentSince(start);
  const elapsedMs = performance.now() - startedAt;
  expect([...new Set(sent)]).toEqual(['take-batch']);
  expect(sent.length).toBeLessThanOrEqual(Math.ceil(elapsedMs / pollMs) + 1);
});

test('the relay sends no statement but the one that takes a batch while events keep coming', async () => {
  const before = (await batches()).length;
  const start = log.sent.length;
  const startedAt = performance.now();
  for (let i = 0; i < 100; i += 1) await change();
  await untilAcknowledged();
  const elapsedMs = performance.now() - startedAt;
  const sent = sentSince(start).filter((name) => name !== 'record-acknowledgement');
  expect([...new Set(sent)]).toEqual(['take-batch']);
  // A signal that comes while a batch is taken may find its event in that batch already, and the last acknowledgement waits for no batch.
  expect(sent.length).toBeLessThanOrEqual(2 * ((await batches()).length - before) + 1 + Math.ceil(elapsedMs / pollMs));
});

test('one statement takes a batch and records the acknowledgement of the one before', async () => {
  const { relay } = await orders.backbone;
  await relay[Symbol.asyncDispose]();
  await using logged = await logStatements(platform.database.roleUrl('orders'), 'a leader');
  const client = new pg.Client({ connectionString: logged.url, application_name: 'a leader' });
  await client.connect();
  await change();
  const numbering = await beginNumbering(client, await lead(client));
  const first = numbering && (await takeBatch(client, numbering));
  if (!first) throw new Error('there is no batch');
  numbering.unrecorded = first.firstNumber;
  await change();
  const start = logged.sent.length;
  const second = await takeBatch(client, numbering);
  expect(logged.sent.slice(start)).toEqual(['take-batch']);
  expect((await batches()).slice(-2)).toEqual([
    { first_number: String(first.firstNumber), size: 1, acked: true },
    { first_number: String(second?.firstNumber), size: 1, acked: false },
  ]);
  await client.end();
});

const untilAcknowledged = () =>
  until(
    async () => {
      const acked = (await batches()).filter((batch) => batch.acked);
      return acked.reduce((sum, { size }) => sum + size, 0) === published;
    },
    { describe: 'every event acknowledged' },
  );

interface RecordedBatch {
  readonly first_number: string;
  readonly size: number;
  readonly acked: boolean;
}

async function batches(): Promise<RecordedBatch[]> {
  const client = new pg.Client({ connectionString: platform.database.adminUrl });
  await client.connect();
  const { rows } = await client.query<RecordedBatch>(
    'select first_number, size::int, acked_at is not null as acked from orders.relay_batch order by first_number',
  );
  await client.end();
  return rows;
}
