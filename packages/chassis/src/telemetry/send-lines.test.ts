import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import protobuf from 'protobufjs';

/** The fields that these tests read of opentelemetry/proto/collector/logs/v1/logs_service.proto. */
const Export = protobuf
  .parse(`syntax = "proto3";
    message Export { repeated ResourceLogs resourceLogs = 1; }
    message ResourceLogs { Fields resource = 1; repeated ScopeLogs scopeLogs = 2; }
    message ScopeLogs { repeated LogRecord records = 2; }
    message LogRecord { fixed64 time = 1; int32 number = 2; string level = 3; Value body = 5; repeated Field fields = 6; bytes trace = 9; bytes span = 10; }
    message Fields { repeated Field list = 1; }
    message Field { string key = 1; Value value = 2; }
    message Value { oneof value { string text = 1; bool flag = 2; int64 integer = 3; double number = 4; Fields fields = 6; } }`)
  .root.lookupType('Export');

type Value = { readonly fields?: { readonly list: Fields } };
type Fields = readonly { readonly key: string; readonly value: Value }[];
interface LogRecord {
  readonly time: number;
  readonly number: number;
  readonly level: string;
  readonly body: Value;
  readonly fields: Fields;
  readonly trace?: Buffer;
  readonly span?: Buffer;
}
interface ResourceLogs {
  readonly resource: { readonly list: Fields };
  readonly scopeLogs: readonly { readonly records: readonly LogRecord[] }[];
}

const plain = ({ fields, ...value }: Value): unknown => (fields ? objectOf(fields.list) : Object.values(value)[0]);
const objectOf = (fields: Fields): object => Object.fromEntries(fields.map(({ key, value }) => [key, plain(value)]));

const lineOf = ({ time, level, body, fields, trace, span }: LogRecord) => ({
  level,
  time: new Date(Math.round(time / 1e6)).toISOString(),
  msg: plain(body),
  ...objectOf(fields),
  ...(trace && span ? { trace_id: trace.toString('hex'), span_id: span.toString('hex') } : {}),
});

const path = '/insert/opentelemetry/v1/logs';

async function startCollector(status: number) {
  const types: string[] = [];
  const received: ResourceLogs[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.url === path) {
      received.push(...(Export.toObject(Export.decode(body), { longs: Number }).resourceLogs as readonly ResourceLogs[]));
      types.push(request.headers['content-type'] ?? '');
    }
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    types,
    received,
    records: () => received.flatMap(({ scopeLogs }) => scopeLogs.flatMap((scope) => scope.records)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const program = `
  import { z } from 'zod';
  import { processSettings, readConfig } from './src/config.ts';
  import { run } from './src/run.ts';
  import { createLog } from './src/telemetry/log.ts';
  import { inSpan } from './src/telemetry/telemetry.ts';
  const read = () => readConfig(z.object(processSettings), process.env);
  await run({ name: 'orders', readConfig: read, start: async () => {
    const log = createLog('orders', 'info');
    await inSpan('work', {}, async () => log.warn({ tries: 2, body: { email: 'hunter2', paid: true }, token: 'hunter2' }, 'it happened'));
    const working = setInterval(() => log.info('still working'), 20);
    const dispose = () => inSpan('end', {}, async () => log.error({ err: new Error('late') }, 'the last line'));
    return { log, beginDraining: () => clearInterval(working), [Symbol.asyncDispose]: dispose };
  } });
`;

async function runUntil(enough: () => boolean, address: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: `${import.meta.dirname}/../..`,
    env: { NODE_ENV: 'test', OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${address}${path}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const ended = once(child, 'exit');
  await until(async () => enough() || child.exitCode !== null, { describe: 'enough exports' });
  child.kill('SIGTERM');
  const [code] = await ended;
  const lines = (await output).trimEnd().split('\n');
  return { code, lines: lines.map((line) => JSON.parse(line)) };
}

test('each line of standard output arrives at the collector, with its trace, and without the secrets', async () => {
  await using collector = await startCollector(200);
  const { code, lines } = await runUntil(() => collector.types.length > 0, collector.address);
  expect(code).toBe(0);
  expect(collector.records().map(lineOf)).toEqual(lines);
  expect(lines[0]).toMatchObject({ level: 'warn', msg: 'it happened', trace_id: expect.any(String), span_id: expect.any(String) });
  expect(lines[0]).toMatchObject({ tries: 2, token: '[removed]', body: { email: '[removed]', paid: true } });
  expect(lines.at(-1)).toMatchObject({ level: 'error', msg: 'the last line', err: { type: 'Error', message: 'late' } });
  expect(new Set(collector.records().map(({ level, number }) => `${level} ${number}`))).toEqual(new Set(['warn 13', 'info 9', 'error 17']));
  expect(new Set(collector.types)).toEqual(new Set(['application/x-protobuf']));
  for (const { resource } of collector.received) expect(objectOf(resource.list)).toMatchObject({ 'service.name': 'orders' });
});

test('a collector that refuses is logged once, to standard output alone, and the process ends as it would without', async () => {
  await using collector = await startCollector(400);
  const { code, lines } = await runUntil(() => collector.types.length > 1, collector.address);
  const complaints = lines.filter(({ msg }) => msg.includes('log lines are dropped'));
  expect([code, complaints]).toEqual([0, [expect.objectContaining({ level: 'warn', collector: new URL(collector.address).host })]]);
  expect(collector.records().map(lineOf)).toEqual(lines.filter((line) => !complaints.includes(line)));
});
