import { testKeysSetting } from '@corner/loyalty/testing';
import { isFree } from '@corner/sandbox/servers';
import { keepHistory, multiplyHistory } from '@corner/sandbox/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMarks } from '../secrets/marks.ts';
import { createMarkedActors, runMarkedScenario } from '../secrets/secrets-scenario.ts';
import { callEverything, runOtherOperations } from '../telemetry/traces-scenario.ts';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { onDatabase, untilSettled } from '../testing/settled.ts';
import { type StatementLog, startStatementLog } from '../testing/statement-log.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

/** Orders from creation to refund in the history, and how often their rows are inserted again. */
const orders = 5;
const times = 400;

/**
 * A statement may read twice as many rows and these: a batch may hold more the second time, and once the tables are analyzed placing an order
 * reads about 47, which are of the slots of the store and do not grow with the history.
 */
const tolerance = 60;
/** Reads everyone of the name that is looked for, and the copied history has the same names again and again. */
const searches = new Set(['loyalty customers-by-name']);

let environment: TestEnvironment;
let metricsPort = 0;
let log: StatementLog;

beforeAll(async () => {
  do metricsPort = 20_000 + Math.floor(Math.random() * 20_000);
  while (!(await isFree(metricsPort)));
  environment = await startTestEnvironment({ METRICS_PORT: String(metricsPort), NFC_KEYS: testKeysSetting });
  log = await startStatementLog(environment);
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

test('no statement of an operation, a webhook or an event reads more rows because there is more history', async () => {
  const { system, history } = environment;
  await Promise.all(Array.from({ length: orders }, async () => runOrderScenario({ system, history }, await newShopper(system))));
  await untilSettled(environment, metricsPort);
  await onDatabase(environment, keepHistory);
  const before = await mostRead();
  await onDatabase(environment, async (client) => {
    await multiplyHistory(client, times);
    // As autovacuum would: plans for young tables are the plan test's matter.
    await client.query('analyze');
  });
  const after = await mostRead();
  const grown = [...after].filter(([name, rows]) => !searches.has(name) && rows > 2 * (before.get(name) ?? 0) + tolerance);
  expect(grown.map(([name, rows]) => `${name}: ${before.get(name) ?? 0} rows, then ${rows}`)).toEqual([]);
});

/** Calls every operation, and returns the most rows that one execution of each statement read for it and for what follows. */
async function mostRead(): Promise<ReadonlyMap<string, number>> {
  const { system, history } = environment;
  await log.take();
  const marks = createMarks();
  const actors = await createMarkedActors(system, marks);
  await runMarkedScenario(system, history, marks, actors);
  await runOtherOperations(system, history, actors);
  await callEverything(system);
  await untilSettled(environment, metricsPort);
  const most = new Map<string, number>();
  for (const { service, name, read } of await log.take()) {
    const statement = `${service} ${name}`;
    most.set(statement, Math.max(most.get(statement) ?? 0, read));
  }
  return most;
}
