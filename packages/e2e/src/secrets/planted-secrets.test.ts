import { testKeysSetting } from '@corner/loyalty/testing';
import { isFree } from '@corner/sandbox';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { catalog } from '../../../chassis/src/telemetry/metrics-catalog.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { type Refusal, sendCarelessRequests } from './careless-requests.ts';
import { createMarks } from './marks.ts';
import { readLogs, readMetrics, readStored, type StoredTexts, untilQuiet } from './places.ts';
import { publishPoisonEvents, publishRefusedRows } from './poison-events.ts';
import { createMarkedActors, runMarkedScenario } from './secrets-scenario.ts';

jest.setTimeout(240_000);

const marks = createMarks();
const metricsPort = await freePort();
let environment: TestEnvironment;
let refused: Refusal[];
let poisoned: string[];
let quoted: string[];
let stored: StoredTexts;
let metrics: Record<string, string>;
const publicly: number[] = [];
let logs: Record<string, string>;

beforeAll(async () => {
  environment = await startTestEnvironment({
    LOG_LEVEL: 'trace',
    METRICS_PORT: String(metricsPort),
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    NFC_KEYS: testKeysSetting,
  });
  const cast = await createMarkedActors(environment.system, marks);
  await runMarkedScenario(environment.system, environment.history, marks, cast);
  refused = await sendCarelessRequests(environment.system, marks, cast);
  poisoned = await publishPoisonEvents(environment.system, marks);
  quoted = await publishRefusedRows(environment.system, marks);
  await untilQuiet(environment, metricsPort);
  stored = await readStored(environment);
  metrics = await readMetrics(environment, metricsPort);
  const { gatewayUrl } = environment.system;
  for (const path of ['/metrics', '/api/v1/orders/metrics', '/api/v1/orders/../../../metrics', '/webhooks/stripe/metrics'])
    publicly.push((await fetch(`${gatewayUrl}${path}`)).status);
  // A stop sends every span that is still in hand.
  await environment.system.stop();
  logs = readLogs(environment);
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

test('no line of any log holds a planted secret, at the level of most words', () => {
  expect(
    Object.entries(logs)
      .filter(([, text]) => text.length > 1_000)
      .map(([name]) => name),
  ).toEqual(expect.arrayContaining(['gateway.log', 'orders.log', 'loyalty.log', 'queue.log', 'notifications.log']));
  const leaks = Object.entries(logs).flatMap(([name, text]) =>
    text.split('\n').map((line) => ({ name, found: marks.foundIn(line), line })),
  );
  expect(leaks.filter(({ found }) => found.length > 0).map(({ name, found, line }) => ({ name, found, line: line.slice(0, 600) }))).toEqual(
    [],
  );
});

test('no span holds one, in its name, its attributes or its events', () => {
  const spans = environment.collector.received.filter(({ path }) => path === '/v1/traces');
  expect(environment.collector.spans.length).toBeGreaterThan(300);
  expect(spans.flatMap(({ text }) => marks.foundIn(text))).toEqual([]);
});

test('no figure holds one, read or pushed', () => {
  expect(Object.keys(metrics)).toHaveLength(5);
  const pushed = environment.collector.received.filter(({ path }) => path === '/v1/metrics').map(({ text }) => text);
  expect(pushed.length).toBeGreaterThan(4);
  expect([...Object.values(metrics), ...pushed].flatMap((text) => marks.foundIn(text))).toEqual([]);
});

test('the figures of a busy system are all there, and none of them on the public port', () => {
  const told = Object.values(metrics).join('\n');
  const missing = Object.keys(catalog).filter((name) => !told.includes(`\n# HELP ${name.replaceAll('.', '_')}`));
  // Only a broker or a reader in trouble delivers again, and only a database in trouble fails the limits.
  expect(missing.filter((name) => !['corner.redeliveries', 'corner.limits.faults'].includes(name))).toEqual([]);
  expect(told).toMatch(/corner_dead_letters_open\{service_name="orders"\} [1-9]/);
  expect(publicly.filter((status) => status < 400)).toEqual([]);
});

test('no event holds one, but for those that are told on purpose', () => {
  expect(stored.events).toContain('order.refunded');
  // The kitchen's call has the code that is shown at the counter, and the note of a delay is for the customer.
  expect(marks.foundIn(stored.events, ['answered collection_code', 'a note about a delay'])).toEqual([]);
});

test('no kept answer holds a token, a client secret, an ephemeral key or a code, nor anything of a customer', () => {
  expect(stored.idempotency).toContain('generateStampCode');
  // For a day, a repeat is given the first answer byte for byte: those of the counter name a guest, an entry or a reward as the
  // service's own rows do. What opens money, a session or a stamp is in none.
  const responses = [
    "a guest's name",
    "a guest's phone",
    'answered entry_id',
    'answered voucher_code',
    'a voucher code',
    'answered redemption_code',
  ];
  expect(marks.foundIn(stored.idempotency, responses)).toEqual([]);
});

test('no dead letter says one in its reason', () => {
  expect(stored.deadLetters.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining([poisoned[0], quoted[0], quoted[2]]));
  expect(new Set(stored.deadLetters.map(({ event_id }) => event_id)).size).toBeGreaterThanOrEqual(4);
  expect(stored.deadLetters.flatMap(({ text }) => marks.foundIn(text).map((found) => ({ found, text })))).toEqual([]);
});

test('no refusal repeats what it refused', () => {
  expect(refused.length).toBeGreaterThan(25);
  expect(refused.filter(({ status }) => status >= 500 && status !== 501)).toEqual([]);
  // But for the one that says which item is not on the menu, since the caller has to know.
  const leaks = refused.map(({ what, text }) => ({ what, found: marks.foundIn(text, ['as an item']), text }));
  expect(leaks.filter(({ found }) => found.length > 0)).toEqual([]);
});

async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}
