import { catalog } from '@corner/chassis/metrics-catalog';
import { testKeysSetting } from '@corner/loyalty/testing';
import { isFree } from '@corner/sandbox/servers';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { type Refusal, sendCarelessRequests } from './careless-requests.ts';
import { createMarks } from './marks.ts';
import { readLogs, readMetrics, readStored, type StoredTexts, untilEventsProcessed } from './places.ts';
import { publishPoisonEvents, publishRefusedRows } from './poison-events.ts';
import { createMarkedActors, runMarkedScenario } from './secrets-scenario.ts';

const marks = createMarks();
const metricsPort = await freePort();
let environment: TestEnvironment;
let refusals: Refusal[];
let poisonIds: string[];
let rejectedIds: string[];
let stored: StoredTexts;
let metrics: Record<string, string>;
const publicStatuses: number[] = [];
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
  refusals = await sendCarelessRequests(environment.system, marks, cast);
  poisonIds = await publishPoisonEvents(environment.system, marks);
  rejectedIds = await publishRefusedRows(environment.system, marks);
  await until(async () => holdsExpected((await readStored(environment)).deadLetters), { describe: 'the dead letters' });
  await untilEventsProcessed(environment, metricsPort);
  stored = await readStored(environment);
  const readsEvents = async () => {
    metrics = await readMetrics(environment, metricsPort);
    return metrics.orders?.includes('corner_provider_cursor_age') ?? false;
  };
  await until(readsEvents, { describe: 'the first reading of the provider’s events' });
  const { gatewayUrl } = environment.system;
  for (const path of ['/metrics', '/api/v1/orders/metrics', '/api/v1/orders/../../../metrics', '/webhooks/stripe/metrics'])
    publicStatuses.push((await fetch(`${gatewayUrl}${path}`)).status);
  // Stopping a process exports its remaining spans.
  await environment.system.stop();
  logs = readLogs(environment);
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

test('no log line at trace level contains a planted secret', () => {
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

test('no span contains a planted secret in its name, attributes or events', () => {
  const spans = environment.collector.received.filter(({ path }) => path === '/v1/traces');
  expect(environment.collector.spans.length).toBeGreaterThan(300);
  expect(spans.flatMap(({ text }) => marks.foundIn(text))).toEqual([]);
});

test('no metric, scraped or pushed, contains a planted secret', () => {
  expect(Object.keys(metrics)).toHaveLength(5);
  const pushed = environment.collector.received.filter(({ path }) => path === '/v1/metrics').map(({ text }) => text);
  expect(pushed.length).toBeGreaterThan(4);
  expect([...Object.values(metrics), ...pushed].flatMap((text) => marks.foundIn(text))).toEqual([]);
});

test('every metric of the catalogue is exported, and none on the public port', () => {
  const exported = Object.values(metrics).join('\n');
  const missing = Object.keys(catalog).filter((name) => !exported.includes(`\n# HELP ${name.replaceAll('.', '_')}`));
  // These occur only when a consumer, the broker, the database, a replica or a webhook fails, and where a customer keeps a pass in a wallet.
  const rare = [
    'corner.redeliveries',
    'corner.limits.faults',
    'corner.upstream.repeats',
    'corner.provider.events.missed',
    'corner.refresh_tokens.reused',
    'corner.wallet.update.duration',
  ];
  expect(missing.filter((name) => !rare.includes(name))).toEqual([]);
  expect(exported).toMatch(/corner_dead_letters_open\{service_name="orders"\} [1-9]/);
  expect(publicStatuses.filter((status) => status < 400)).toEqual([]);
});

test('no event contains a planted secret, except the collection code and the note of a delay', () => {
  expect(stored.events).toContain('order.refunded');
  // The customer's message needs the collection code and the note of a delay.
  expect(marks.foundIn(stored.events, ['response collection_code', 'a note about a delay'])).toEqual([]);
});

test('no kept response contains a token, a client secret, an ephemeral key or a stamp code, nor an address of a customer', () => {
  expect(stored.idempotency).toContain('generateStampCode');
  // A response is kept for a day, byte for byte. Those of staff operations name a guest, an order's customer, an entry or a
  // reward, and the member of staff who did it, as the service's own rows do. Nothing that grants access to money, a session or a stamp may be kept.
  const allowed = [
    "a guest's name",
    "a guest's phone",
    "the customer's name",
    "a staff member's name",
    "the friend's name",
    'response entry_id',
    'response voucher_code',
    'a voucher code',
    'response redemption_code',
  ];
  expect(marks.foundIn(stored.idempotency, allowed)).toEqual([]);
});

test('no dead letter contains a planted secret outside its payload', () => {
  expect(holdsExpected(stored.deadLetters)).toBe(true);
  expect(stored.deadLetters.flatMap(({ text }) => marks.foundIn(text).map((found) => ({ found, text })))).toEqual([]);
});

test('no refusal repeats a planted secret of its request', () => {
  expect(refusals.length).toBeGreaterThan(25);
  expect(refusals.filter(({ status }) => status >= 500 && status !== 501)).toEqual([]);
  // The refusal of an unknown menu item names it, since the caller has to know which one. A list, which ignores what it does not know,
  // names the customers of its orders.
  const allowed = ['as an item', "the customer's name", "the friend's name"];
  const leaks = refusals.map(({ request, text }) => ({ request, found: marks.foundIn(text, allowed), text }));
  expect(leaks.filter(({ found }) => found.length > 0)).toEqual([]);
});

/** Whether the first poison event, the misfit, one of the twins and at least one more event have become dead letters. */
function holdsExpected(deadLetters: StoredTexts['deadLetters']): boolean {
  const ids = new Set(deadLetters.map(({ event_id }) => event_id));
  const [misfit = '', ...twins] = rejectedIds;
  // The twins are processed concurrently: either may be second and violate the unique index.
  return ids.has(poisonIds[0] ?? '') && ids.has(misfit) && twins.some((id) => ids.has(id)) && ids.size >= 4;
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}
