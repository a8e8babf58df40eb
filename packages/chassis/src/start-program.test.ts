import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { processSettings, readConfig } from './config.ts';
import { armCrashPoint, crashPoint } from './errors/crash-point.ts';
import { listenHttp } from './http/http-server.ts';
import { listenForMetrics } from './http/listen-for-metrics.ts';
import { hostProgram, type Program } from './start-program.ts';
import { createLog } from './telemetry/log.ts';
import { measure } from './telemetry/metrics.ts';
import { countRestore, observeRestores } from './telemetry/restores.ts';
import { inSpan } from './telemetry/telemetry.ts';

interface Started {
  readonly url: string;
  readonly metricsUrl: string;
}

function programNamed(name: string, started: (addresses: Started) => void): Program {
  return {
    name,
    readConfig: (environment) => readConfig(z.object(processSettings), environment ?? {}),
    async start(config) {
      const log = createLog(name, config.LOG_LEVEL);
      const stopObserving = observeRestores();
      armCrashPoint(config.OTEL_RESOURCE_ATTRIBUTES['crash.at']);
      const server = await listenHttp(
        (_request, response) =>
          void inSpan(`work of ${name}`, {}, async () => {
            crashPoint('test.any');
            countRestore('renumbered');
            measure('corner.rpc.server.duration', 1, { 'corner.rpc': 'other', 'corner.outcome': 'ok' });
            log.info('worked');
            response.end();
          }),
        { host: '127.0.0.1', port: 0 },
      );
      const metrics = await listenForMetrics({ HOST: '127.0.0.1', METRICS_PORT: 0 });
      started({ url: server.url, metricsUrl: `${metrics?.url}/metrics` });
      return {
        log,
        beginDraining() {},
        async [Symbol.asyncDispose]() {
          stopObserving();
          await Promise.all([server.drain(), metrics?.drain()]);
        },
      };
    },
  };
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[];
  }[];
}

async function startCollector() {
  const received: { readonly service: string | undefined; readonly instance: string | undefined; readonly span: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Partial<Exported>;
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      const of = (key: string) => resource.attributes.find((one) => one.key === key)?.value.stringValue;
      const names = scopeSpans.flatMap(({ spans }) => spans.map((span) => span.name));
      received.push(...names.map((span) => ({ service: of('service.name'), instance: of('service.instance.id'), span })));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`,
    received,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('two programs of one process have spans, metrics, logs and crash points of their own, and a stop ends those of one alone', async () => {
  await using collector = await startCollector();
  const start = async (name: string, more = '') => {
    let addresses: Started = { url: '', metricsUrl: '' };
    const written: string[] = [];
    const running = await hostProgram(
      programNamed(name, (given) => {
        addresses = given;
      }),
      {
        folder: `${import.meta.dirname}/..`,
        environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_RESOURCE_ATTRIBUTES: more },
        write: (lines) => void written.push(lines),
      },
    );
    const metric = async (pattern: RegExp) => pattern.exec(await (await fetch(addresses.metricsUrl)).text())?.[1];
    return {
      ...addresses,
      stop: () => running.stop('SIGTERM'),
      lines: () =>
        written
          .join('')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      restores: () => metric(/corner_database_restores_total\{[^}]*renumbered[^}]*\} (\d+)/),
      calls: () => metric(/corner_rpc_server_duration_seconds_count\{[^}]*\} (\d+)/),
    };
  };
  const [orders, loyalty] = [await start('orders'), await start('loyalty', 'crash.at=test.any#3')];
  await fetch(orders.url);
  await fetch(orders.url);
  await fetch(orders.url);
  await fetch(loyalty.url);
  expect([await orders.restores(), await orders.calls()]).toEqual(['3', '3']);
  expect([await loyalty.restores(), await loyalty.calls()]).toEqual(['1', '1']);

  await loyalty.stop();
  await fetch(orders.url);
  expect(await orders.calls()).toBe('4');
  await orders.stop();

  const spansOf = (service: string) => collector.received.filter((one) => one.service === service);
  expect(spansOf('orders').map(({ span }) => span)).toEqual(Array.from({ length: 4 }, () => 'work of orders'));
  expect(spansOf('loyalty').map(({ span }) => span)).toEqual(['work of loyalty']);
  expect(new Set(collector.received.map(({ instance }) => instance)).size).toBe(2);
  expect(orders.lines().map(({ service, msg }) => [service, msg])).toEqual([
    ...Array.from({ length: 4 }, () => ['orders', 'worked']),
    ['orders', 'draining'],
  ]);
  expect(loyalty.lines().map(({ service, msg }) => [service, msg])).toEqual([
    ['loyalty', 'worked'],
    ['loyalty', 'draining'],
  ]);
  expect(orders.lines()[0].trace_id).toMatch(/^[0-9a-f]{32}$/);
});

test('a program that does not start leaves no telemetry behind, and rejects with its error', async () => {
  const program: Program = {
    name: 'orders',
    readConfig: (environment) => readConfig(z.object(processSettings), environment ?? {}),
    start: () => Promise.reject(new Error('as planned')),
  };
  await expect(hostProgram(program, { folder: '.', environment: {}, write() {} })).rejects.toThrow('as planned');
});
