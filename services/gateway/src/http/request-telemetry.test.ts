import { SpanKind, startTelemetry } from '@corner/chassis/edge';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { deadAddress, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

type Processor = NonNullable<Parameters<typeof startTelemetry>[0]['processors']>[number];
type Finished = Parameters<Processor['onEnd']>[0];

let upstream: TestUpstream;
let gateway: RunningGateway;
let telemetry: { stop(): Promise<void> };
const finished: Finished[] = [];

beforeAll(async () => {
  const keep: Processor = {
    onStart() {},
    onEnd: (span) => void finished.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  telemetry = startTelemetry({ service: 'gateway', processors: [keep] });
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream, { QUEUE_URL: await deadAddress() });
});

beforeEach(() => {
  finished.length = 0;
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
  await telemetry.stop();
});

async function spans(): Promise<{ readonly server: Finished; readonly client: Finished }> {
  return await until(
    () => {
      // Another test file in this process may end spans of its own meanwhile.
      const server = finished.find(
        ({ kind, attributes }) => kind === SpanKind.SERVER && attributes['http.response.status_code'] !== undefined,
      );
      const { traceId } = server?.spanContext() ?? {};
      const client = finished.find((span) => span.kind === SpanKind.CLIENT && span.spanContext().traceId === traceId);
      return server && client && { server, client };
    },
    { describe: 'both spans' },
  );
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

test('the caller’s trace continues with a span for the request and one for the call, and the service gets the latter', async () => {
  await call(`${gateway.url}/api/v1/orders/0190a000-0000-7000-8000-0000000000e1?store_id=s`, {
    headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01`, tracestate: 'vendor=x' },
  });
  const { server, client } = await spans();
  expect(server).toMatchObject({ name: 'GET /api/v1/orders/{orderId}', parentSpanContext: { spanId: '00f067aa0ba902b7', traceId: trace } });
  expect(server.attributes).toMatchObject({ 'http.response.status_code': 200, 'http.route': '/api/v1/orders/{orderId}' });
  expect(client).toMatchObject({ name: 'GET orders', parentSpanContext: { spanId: server.spanContext().spanId } });
  expect(upstream.seen.at(-1)?.headers).toMatchObject({
    traceparent: `00-${trace}-${client.spanContext().spanId}-01`,
    tracestate: 'vendor=x',
  });
});

test.each([undefined, 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])(
  'a new trace begins when the caller’s traceparent is %p',
  async (traceparent) => {
    await call(`${gateway.url}/api/v1/orders`, { headers: traceparent === undefined ? {} : { traceparent, tracestate: 'vendor=x' } });
    const { server, client } = await spans();
    expect(server.parentSpanContext).toBeUndefined();
    const { traceId, spanId } = client.spanContext();
    expect(upstream.seen.at(-1)?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(upstream.seen.at(-1)?.headers.tracestate).toBeUndefined();
  },
);

test('a failed call marks both spans as errors, and no span contains an id or a secret', async () => {
  await call(`${gateway.url}/api/v1/queue/status?entry_id=secret-entry`, { headers: { authorization: 'Bearer secret-token' } });
  const { server, client } = await spans();
  expect([server.status.code, client.status.code]).toEqual([2, 2]);
  expect(
    JSON.stringify([server, client].map(({ name, attributes, status, events }) => ({ name, attributes, status, events }))),
  ).not.toMatch(/secret/);
});
