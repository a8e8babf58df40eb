import { writeFileSync } from 'node:fs';
import { testFolder } from '@corner/testkit';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { z } from 'zod';
import { processSettings, readConfig } from '../config.ts';
import { resourceOf, versionIn } from './resource.ts';
import { annotateSpan, searchAttributes } from './search-attributes.ts';
import { jobAttribute, rowsAttribute } from './skip-idle-jobs.ts';
import { freshTrace, inSpan, startTelemetry } from './telemetry.ts';

const exporter = new InMemorySpanExporter();
const { OTEL_RESOURCE_ATTRIBUTES: given } = readConfig(z.object(processSettings), {
  OTEL_RESOURCE_ATTRIBUTES: 'service.version=1.4.2,cloud.region=eu%2Dwest-2',
});
const telemetry = startTelemetry({
  service: 'orders',
  resource: resourceOf({ service: 'orders', environment: 'production', attributes: given }),
  processors: [new SimpleSpanProcessor({ exporter } as never)],
});

afterEach(() => exporter.reset());
afterAll(() => telemetry.stop());

const finished = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
const names = () => finished().map(({ name }) => name);

const runJob = (work: () => Promise<void>) => inSpan('job sweep', { parent: freshTrace(), attributes: { [jobAttribute]: 'sweep' } }, work);
const statement = (rows: number) =>
  inSpan('find-due', { attributes: { 'db.system.name': 'postgresql' } }, async (span) => void span.setAttribute(rowsAttribute, rows));

test('a span says which version and instance of the service made it, and what OTEL_RESOURCE_ATTRIBUTES says', async () => {
  await inSpan('work', {}, async () => {});
  expect(finished()[0]?.resource.attributes).toMatchObject({
    'service.name': 'orders',
    'service.version': '1.4.2',
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'deployment.environment.name': 'production',
    'cloud.region': 'eu-west-2',
  });
});

test('a span that failed says how, and keeps what the work has said of it', async () => {
  await inSpan('work', {}, () => Promise.reject(new TypeError('no'))).catch(() => {});
  await inSpan('payments refund', {}, (span) => {
    span.setAttribute('error.type', 'card_declined');
    return Promise.reject(new Error('no'));
  }).catch(() => {});
  expect(finished().map(({ attributes, status }) => [attributes['error.type'], status.code])).toEqual([
    ['TypeError', SpanStatusCode.ERROR],
    ['card_declined', SpanStatusCode.ERROR],
  ]);
});

test('attributes that are not key=value are refused when the process starts', () => {
  expect(() => readConfig(z.object(processSettings), { OTEL_RESOURCE_ATTRIBUTES: 'version' })).toThrow(
    'OTEL_RESOURCE_ATTRIBUTES: must be key=value',
  );
});

test('a run of a job that finds nothing exports no span', async () => {
  await runJob(async () => {
    await statement(0);
    await statement(0);
  });
  expect(names()).toEqual([]);
});

test('a run of a job that finds a row, calls another party or fails exports all its spans', async () => {
  await runJob(async () => {
    await statement(0);
    await statement(1);
    await statement(0);
  });
  expect(names()).toEqual(['find-due', 'find-due', 'find-due', 'job sweep']);
  exporter.reset();
  await runJob(async () => {
    await statement(0);
    await inSpan('payments refund', {}, async () => {});
  });
  expect(names()).toEqual(['find-due', 'payments refund', 'job sweep']);
  exporter.reset();
  await runJob(async () => {
    await statement(0);
    throw new Error('no database');
  }).catch(() => {});
  expect(names()).toEqual(['find-due', 'job sweep']);
});

test('of what a request holds, a span gets the ids that people search by, and nothing else', async () => {
  const id = '0190a000-0000-7000-8000-000000000001';
  const body = {
    store_id: id,
    order_number: 'S1-7',
    entry_id: 'a credential',
    guest_phone: '+44',
    note: 'by Ana',
    items: [{ order_id: 'no' }],
  };
  expect(
    searchAttributes(body, { orderId: id, customer_id: 'Ana Example', payment_intent_id: 'pi_1_secret_2' }, null, {
      order_number: { nested: 1 },
    }),
  ).toEqual({
    'corner.store.id': id,
    'corner.order.number': 'S1-7',
    'corner.order.id': id,
  });
  await inSpan('work', {}, async () => annotateSpan(() => searchAttributes(body)));
  expect(finished()[0]?.attributes).toEqual({ 'corner.store.id': id, 'corner.order.number': 'S1-7' });
  expect(trace.getActiveSpan()).toBeUndefined();
});

test('a process says the version of its own package', async () => {
  await using folder = await testFolder();
  expect(versionIn(folder.path)).toBe('unknown');
  writeFileSync(`${folder.path}/package.json`, '{ "version": "3.2.1" }');
  expect(resourceOf({ service: 'orders', version: versionIn(folder.path) }).attributes['service.version']).toBe('3.2.1');
});
