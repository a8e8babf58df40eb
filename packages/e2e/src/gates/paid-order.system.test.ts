import { randomUUID } from 'node:crypto';
import { testKeysSetting } from '@corner/loyalty/testing';
import { connectNats } from '@corner/nats';
import { applyDirectory } from '@corner/operator';
import { stores } from '@corner/sandbox/demo';
import { keepHistory, multiplyHistory } from '@corner/sandbox/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMarks } from '../secrets/marks.ts';
import { createMarkedActors, runMarkedScenario } from '../secrets/secrets-scenario.ts';
import { callEverything, runOtherOperations } from '../telemetry/traces-scenario.ts';
import type { LoggedStatement } from '../testing/logged-statements.ts';
import { basket, newShopper, payAndConfirm, runOrderScenario, type Shopper } from '../testing/order-scenario.ts';
import { recordingClient } from '../testing/recording-client.ts';
import { onDatabase, untilSettled } from '../testing/settled.ts';
import { sparePort } from '../testing/spare-port.ts';
import { type StatementLog, startStatementLog } from '../testing/statement-log.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

/**
 * Limits per paid order, over all services, until its stamp is committed and its messages are sent. Batching depends on the machine: 29 to
 * 53 statements and 80 to 89 rows read were measured, the most on a slow one. These limits fit the dearest case: every webhook, event and
 * message is handled alone, and the award by the confirmation meets the award by the event.
 */
const limits: Work = { statements: 57, transactions: 33, commits: 26, read: 92, written: 70 };
const orders = 10;
/** A busy machine adds work to a round, such as an RPC that times out or a message sent again. One round within the limits is enough. */
const rounds = 3;

const ordersBefore = 5;
const times = 400;

/** Statements sent by timers, with or without an order. Their number depends on elapsed time. */
const timed = new Set([
  'claim-jobs',
  'read-backlog',
  'read-completeness',
  'read-numbering',
  'begin-numbering',
  'move-position',
  'record-acknowledgement',
  'read-provider-state',
  'due-provider-events',
  'overdue-orders',
  'pending-delay-notices',
  'orders-awaiting-payment',
  'open-refunds',
  'provider-calls-to-look-at',
  'store-accounts',
  'unseen-accounts',
  'take-refusing-stores',
  'due-shares',
  'create-pass-updates',
  'take-pass-updates',
  'select-due-digests',
  'stores-with-overdue-entries',
  'overdue-deposits',
  'count-ignored-snapshots',
  'find-unfinished-erasures',
  'webhook-work-due',
  'orders-to-look-at',
  'lapse-reservations',
  // A consumer checks by it that the connection of its lease is alive, and in how many parts events are read.
  'consumer-layout',
  'zones-of-campaigns',
  'campaigns-being-sent',
  'campaigns-counted',
  'due-memberships',
  'unproven-days',
]);
/** Statements of the jobs that delete old rows, and of those that find rows due after hours or days. */
const housekeeping = /^(prune|drop-old|erase)-|^(expire-multi-stamps|vouchers-to-announce|open-differences|entered|entered-between)$/;
const polls = new Set(['take-batch', 'lease-topics']);

interface Work {
  readonly statements: number;
  readonly transactions: number;
  readonly commits: number;
  readonly read: number;
  readonly written: number;
}

let environment: TestEnvironment;
let metricsPort = 0;
let log: StatementLog;

beforeAll(async () => {
  metricsPort = await sparePort();
  environment = await startTestEnvironment({ METRICS_PORT: String(metricsPort), NFC_KEYS: testKeysSetting });
  const { system, history } = environment;
  await Promise.all(Array.from({ length: ordersBefore }, async () => runOrderScenario({ system, history }, await newShopper(system))));
  await settled();
  await onDatabase(environment, keepHistory);
  log = await startStatementLog(environment);
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

test('a paid order takes no more statements, commits and rows than its limits', async () => {
  const shoppers = await Promise.all(Array.from({ length: rounds * orders + 2 }, () => newShopper(environment.system)));
  await publish(shoppers);
  for (const shopper of shoppers.splice(0, 2)) await order(shopper);
  let report = '';
  for (let round = 0; round === 0 || (report !== '' && round < rounds); round += 1)
    report = await roundOf(shoppers.splice(0, orders), round * orders);
  expect(report).toBe('');
});

/**
 * Places and pays one order per shopper. Returns the exceeded limits with all statements; empty when none was. Marking an order paid reads
 * the store's orders that wait to be made, so the limit of rows read grows by the `waiting` ones of earlier rounds.
 */
async function roundOf(shoppers: readonly Shopper[], waiting: number): Promise<string> {
  await settled();
  await log.take();
  for (const shopper of shoppers) await order(shopper);
  await settled();
  const statements = (await log.take()).filter(
    ({ name, written }) => !timed.has(name) && !housekeeping.test(name) && (written > 0 || !polls.has(name)),
  );
  const work = workOf(statements);
  const beyond = Object.entries({ ...limits, read: limits.read + waiting }).filter(([what, limit]) => work[what as keyof Work] > limit);
  const lines = beyond.map(([what, limit]) => `${what}: ${work[what as keyof Work]}, at most ${limit}`);
  return beyond.length === 0 ? '' : [...lines, tableOf(statements)].join('\n');
}

function workOf(statements: readonly LoggedStatement[]): Work {
  const sum = (of: (one: LoggedStatement) => number) => statements.reduce((total, one) => total + of(one), 0) / orders;
  return {
    statements: sum(() => 1),
    transactions: sum(({ ended }) => (ended ? 1 : 0)),
    commits: sum(({ ended }) => (ended === 'written' ? 1 : 0)),
    read: sum(({ read }) => read),
    written: sum(({ written }) => written),
  };
}

function tableOf(statements: readonly LoggedStatement[]): string {
  const lines = [...Map.groupBy(statements, ({ service, name }) => `${service} ${name}`)]
    .map(([name, all]) => ({ name, ...workOf(all) }))
    .toSorted((a, b) => b.statements - a.statements)
    .map(({ name, ...work }) => [...Object.values(work).map((each) => String(each).padStart(12)), '  ', name].join(''));
  return [
    Object.keys(limits)
      .map((what) => what.padStart(12))
      .join(''),
    ...lines,
  ].join('\n');
}

async function publish(shoppers: readonly Shopper[]): Promise<void> {
  const connection = await connectNats(environment.system.natsUrl, 'test');
  const customers = shoppers.map(({ customerId: id }) => ({ id, name: 'Dee', email: `${id}@example.com` }));
  await applyDirectory({ customers }, { connection });
  await connection.close();
  await settled();
}

async function order({ customer }: Shopper): Promise<void> {
  const { system, history } = environment;
  const key = randomUUID();
  const client = recordingClient(system.gatewayUrl, history, { operation: 'order', token: customer, traceId: undefined, key });
  const { data } = await client.POST('/api/v1/orders', { body: basket(key) });
  await payAndConfirm(environment, client, stores.coffee.id, data);
}

const settled = () => untilSettled(environment, metricsPort);

/**
 * A statement may read twice as many rows plus these: a batch may be larger the second time, and once tables are analyzed, placing an order
 * reads about 47 rows of the store's slots, whatever the history.
 */
const tolerance = 60;
/** One searches by name; the other counts the orders of the weeks that a manager asks for, twelve at most. */
const searches = new Set(['loyalty customers-by-name', 'orders read-ready-weeks']);

// The last test: it fills the tables.
test('no statement of an operation, a webhook or an event reads more rows because there is more history', async () => {
  const before = await mostRead();
  await onDatabase(environment, async (client) => {
    await multiplyHistory(client, times);
    await client.query('analyze');
  });
  const after = await mostRead();
  const grown = [...after].filter(([name, rows]) => !searches.has(name) && rows > 2 * (before.get(name) ?? 0) + tolerance);
  expect(grown.map(([name, rows]) => `${name}: ${before.get(name) ?? 0} rows, then ${rows}`)).toEqual([]);
});

async function mostRead(): Promise<ReadonlyMap<string, number>> {
  const { system, history } = environment;
  await log.take();
  const marks = createMarks();
  const actors = await createMarkedActors(system, marks);
  await runMarkedScenario(system, history, marks, actors);
  await runOtherOperations(system, history, actors);
  await callEverything(system);
  await settled();
  const most = new Map<string, number>();
  for (const { service, name, read } of await log.take()) {
    const statement = `${service} ${name}`;
    most.set(statement, Math.max(most.get(statement) ?? 0, read));
  }
  return most;
}
