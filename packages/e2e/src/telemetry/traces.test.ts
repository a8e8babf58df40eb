import { randomUUID } from 'node:crypto';
import { beginReplay, operations, replayPage, rpcs, type ServiceName, services } from '@corner/contracts';
import { jobs as jobsOfLoyalty, eventHandlers as ofLoyalty } from '@corner/loyalty/service';
import { testKeysSetting } from '@corner/loyalty/testing';
import { callService, isFree } from '@corner/sandbox';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventHandlers as ofNotifications } from '../../../../services/notifications/src/event-handlers.ts';
import { jobs as jobsOfNotifications } from '../../../../services/notifications/src/jobs.ts';
import { eventHandlers as ofOrders } from '../../../../services/orders/src/event-handlers.ts';
import { jobs as jobsOfOrders } from '../../../../services/orders/src/jobs.ts';
import { jobs as jobsOfQueue, eventHandlers as ofQueue } from '../../../../services/queue/src/service.ts';
import { createMarks } from '../secrets/marks.ts';
import { readLogs, untilQuiet } from '../secrets/places.ts';
import { connectedTo, createMarkedActors, runMarkedScenario } from '../secrets/secrets-scenario.ts';
import type { CollectedSpan } from '../testing/collector.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { callEverything, runOtherOperations } from './traces-scenario.ts';

jest.setTimeout(240_000);

const [server, client, producer, consumer] = [2, 3, 4, 5];
const eventHandlers = { orders: ofOrders, loyalty: ofLoyalty, queue: ofQueue, notifications: ofNotifications } as const;
const jobs = {
  orders: jobsOfOrders,
  loyalty: jobsOfLoyalty,
  queue: jobsOfQueue,
  notifications: jobsOfNotifications,
} as const;

/** What this walk does not come to: an order nobody pays ends after minutes, a reward nobody uses after months. */
const beyond = ['loyalty releaseVoucherWhenOrderExpired', 'notifications tellVoucherExpired', 'notifications keepVoucherWhenExpired'];

interface Line {
  readonly [field: string]: unknown;
  readonly service: string;
  readonly msg: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

let environment: TestEnvironment;
let lines: readonly Line[];
let spans: readonly CollectedSpan[];
let byId: ReadonlyMap<string, CollectedSpan>;

beforeAll(async () => {
  let metricsPort = 0;
  do metricsPort = 20_000 + Math.floor(Math.random() * 20_000);
  while (!(await isFree(metricsPort)));
  environment = await startTestEnvironment({ METRICS_PORT: String(metricsPort), NFC_KEYS: testKeysSetting });
  const { system, history } = environment;
  const since = new Date().toISOString();
  const marks = createMarks();
  const cast = await createMarkedActors(system, marks);
  await runMarkedScenario(system, history, marks, cast);
  await runOtherOperations(system, history, cast);
  await callEverything(system);
  await untilQuiet(environment, metricsPort);
  await replay(since);
  // What the provider and the clock bring comes when it comes; the tests say what never did.
  await until(async () => missingEventHandlers().length <= beyond.length && missingJobs().length === 0, {
    describe: 'every event handler and job of this walk',
  }).catch(() => {});
  // A stop sends every span that is still in hand.
  await system.stop();
  spans = environment.collector.spans;
  byId = new Map(spans.map((span) => [span.spanId, span]));
  lines = readLines();
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

/** Loyalty's reactions to payments, once more. */
async function replay(since: string): Promise<void> {
  await using nats = await connectedTo(environment.system);
  const where = { connection: nats.connection, namespace: '' };
  const replay_id = randomUUID();
  const range = { since, until: new Date().toISOString(), to: 'awardStampsWhenOrderPaid' };
  await callService(where, beginReplay('loyalty'), { ...range, replay_id, by: 'a test', counted: 1 });
  const page = await callService(where, replayPage('loyalty'), { replay_id, from: { producer: 0, sequence: 0 } });
  if (page.processed === 0 || page.failed > 0) throw new Error(`the replay worked through ${page.processed}, ${page.failed} failed`);
}

const readLines = (): Line[] =>
  Object.values(readLogs(environment)).flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line),
  );

/** Every entry of the services' tables that is not among those reached. */
const missingFrom = (tables: Readonly<Record<ServiceName, object>>, reached: ReadonlySet<string>): string[] =>
  services.flatMap((service) =>
    Object.keys(tables[service])
      .map((name) => `${service} ${name}`)
      .filter((name) => !reached.has(name)),
  );

const missingEventHandlers = () =>
  missingFrom(
    eventHandlers,
    new Set(
      readLines()
        .filter(({ msg }) => msg === 'event processed')
        .map(({ service, handler }) => `${service} ${handler}`),
    ),
  );

const missingJobs = () =>
  missingFrom(
    jobs,
    new Set(
      environment.collector.spans
        .filter(({ name, parentSpanId }) => name.startsWith('job ') && parentSpanId === null)
        .map(({ service, name }) => `${service} ${name.slice('job '.length)}`),
    ),
  );

const parentOf = (span: CollectedSpan): CollectedSpan | undefined => byId.get(span.parentSpanId ?? '');

test('every operation of the contracts is a span named by its template, below the gateway’s', () => {
  const traced = (name: string, service: string) =>
    spans.some((span) => {
      if (span.service !== service || span.name !== name || span.kind !== server) return false;
      const call = parentOf(span);
      const outer = call && parentOf(call);
      return (
        call?.service === 'gateway' &&
        call.kind === client &&
        outer?.name === name &&
        outer.kind === server &&
        outer.traceId === span.traceId
      );
    });
  expect(operations.filter(({ extension }) => !extension)).toHaveLength(30);
  expect(operations.filter(({ method, path, service }) => !traced(`${method} ${path}`, service)).map(({ name }) => name)).toEqual([]);
});

test('every reaction that ran did so in a consumer span of the teller’s trace, a repeat in one of its own that links to it', () => {
  const ran = lines.filter(({ msg }) => msg === 'event processed');
  const faults = ran.flatMap((line) => {
    const span = byId.get(line.span_id ?? '');
    const told = span && (line.redelivered ? byId.get(span.links?.[0]?.spanId ?? '') : parentOf(span));
    const sound =
      span?.kind === consumer &&
      span.name === `process ${line.type}` &&
      span.service === line.service &&
      // The directory is told from outside the platform, by somebody who need not trace.
      (isOfDirectory(line) || (told?.kind === producer && told.name === `publish ${line.type}`)) &&
      (line.redelivered
        ? span.parentSpanId === null && span.links?.[0]?.traceId !== span.traceId
        : told === undefined || told.traceId === span.traceId);
    return sound ? [] : [{ line, span, told }];
  });
  expect(faults).toEqual([]);
  expect(ran.filter(({ redelivered }) => redelivered).length).toBeGreaterThan(0);
  expect(missingEventHandlers()).toEqual(beyond);
});

const isOfDirectory = ({ service, handler }: Line): boolean => {
  const table = eventHandlers[service as ServiceName] as Readonly<Record<string, { event: { producers: readonly string[] } }>>;
  return table[String(handler)]?.event.producers.includes('directory') ?? false;
};

test('every question is a pair of spans, one in each service', () => {
  const answered = spans.filter(({ name, kind }) => name.startsWith('serve ') && kind === server);
  const paired = new Set(
    answered.flatMap((span) => {
      const asked = parentOf(span);
      return asked?.kind === client && asked.name === span.name.replace('serve ', 'call ') && asked.service !== span.service
        ? [asked.name]
        : [];
    }),
  );
  expect(rpcs.map(({ name }) => `call ${name}`).filter((name) => !paired.has(name))).toEqual(['call loyalty.voucher.release']);
  // Only an operator's question comes from outside.
  const alone = answered.filter((span) => span.parentSpanId === null).map(({ name }) => name);
  expect(alone.filter((name) => !/^serve \w+\.(replay|processed|dead-letters|explain)/.test(name))).toEqual([]);
});

test('every schedule that ran is a trace of its own', () => {
  const roots = spans.filter(({ name, parentSpanId }) => name.startsWith('job ') && parentSpanId === null);
  expect(missingJobs()).toEqual([]);
  expect(spans.filter(({ name }) => name.startsWith('job ')).length).toBe(roots.length);
  expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
});

test('every line of a request, an event and a question bears its trace and the id of what it is about', () => {
  const needs = { request: 'request_id', 'event processed': 'event_id', 'rpc served': 'trace_id' } as const;
  for (const [msg, id] of Object.entries(needs)) {
    const ours = lines.filter((line) => line.msg === msg && !/readyz|livez|metrics|unknown/.test(String(line.operation)));
    expect(ours.length).toBeGreaterThan(10);
    expect(ours.filter((line) => !line[id] || !line.trace_id)).toEqual([]);
    const traces = new Set(spans.map(({ traceId }) => traceId));
    expect(ours.filter(({ trace_id }) => !traces.has(trace_id ?? ''))).toEqual([]);
  }
});
