import { randomUUID } from 'node:crypto';
import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import type { CollectedSpan } from '../testing/collector.ts';
import { basket, newShopper, pay, type Shopper } from '../testing/order-scenario.ts';
import { publishDirectory } from '../testing/own-store.ts';
import { sharedEnvironment, sharedVersion, type TestEnvironment } from '../testing/test-environment.ts';

const device = `device-${randomUUID()}`;
const requestId = `R-${randomUUID()}`;
const key = randomUUID();

let environment: TestEnvironment;
let shopper: Shopper;
let order: { order_id: string; order_number: string; payment_intent_id: string };

const spans = (): readonly CollectedSpan[] => environment.collector.spans;
const withAttribute = (name: string, value: unknown) => spans().filter(({ attributes }) => attributes[name] === value);

const tracesOf = (found: readonly CollectedSpan[]) => {
  const ids = new Set(found.map(({ traceId }) => traceId));
  return spans().filter(({ traceId }) => ids.has(traceId));
};

const pushes = () =>
  withAttribute('corner.channel', 'push').filter(({ attributes }) => attributes['corner.customer.id'] === shopper.customerId);

const call = (path: string, sent: object, headers: Readonly<Record<string, string>> = {}) =>
  until(
    async () => {
      const response = await fetch(`${environment.system.gatewayUrl}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shopper.customer}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(sent),
      });
      const body = await response.json();
      if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(body)}`);
      return body;
    },
    { describe: path },
  );

beforeAll(async () => {
  environment = await sharedEnvironment();
  const { system, history } = environment;
  shopper = await newShopper(system);
  const customer = { id: shopper.customerId, name: 'Searched', push_devices: [{ id: device, platform: 'android' }] };
  await publishDirectory(system, { customers: [customer] });
  await fetch(`${system.messagesUrl}/_sim/fail`, {
    method: 'POST',
    body: JSON.stringify({ at: 'fcm', how: 'unavailable', to: device }),
  });
  order = (await call('/orders', basket(key), { 'x-request-id': requestId, 'idempotency-key': key })) as typeof order;
  await pay(system, history, order.payment_intent_id);
  await call('/orders/confirm', { store_id: stores.coffee.id, payment_intent_id: order.payment_intent_id });
  await until(
    async () => {
      const names = new Set(
        tracesOf(withAttribute('corner.order.number', order.order_number)).map(({ service, name }) => `${service} ${name}`),
      );
      const wanted = ['orders publish order.paid', 'loyalty process order.paid', 'notifications send push', 'gateway POST /api/v1/orders'];
      const outcomes = pushes().map(({ attributes }) => attributes['corner.outcome']);
      return wanted.every((name) => names.has(name)) && outcomes.includes('ok') && outcomes.includes('failed');
    },
    { describe: 'the spans of the order, of a failed push and of one that was sent' },
  );
});
test('all spans of an order are found by its number: those of its requests, events, awards, messages and payment', () => {
  const found = tracesOf(withAttribute('corner.order.number', order.order_number));
  const services = new Set(found.map(({ service }) => service));
  expect([...services].sort()).toEqual(['gateway', 'loyalty', 'notifications', 'orders']);
  const names = new Set(found.map(({ name }) => name));
  for (const name of ['POST /api/v1/orders', 'publish order.paid', 'process order.paid', 'send push']) expect(names).toContain(name);
  for (const [attribute, value] of [
    ['corner.order.id', order.order_id],
    ['corner.customer.id', shopper.customerId],
    ['corner.store.id', stores.coffee.id],
  ] as const)
    expect(tracesOf(withAttribute(attribute, value)).map(({ name }) => name)).toContain('process order.paid');
});

test('failed pushes of the last hour are found, each in the trace of its order', () => {
  const failed = pushes().filter(({ attributes }) => attributes['corner.outcome'] === 'failed');
  expect(failed).toHaveLength(1);
  expect(failed[0]?.attributes).toMatchObject({ 'corner.customer.id': shopper.customerId, 'corner.message.attempt': 1 });
  expect(tracesOf(failed).map(({ attributes }) => attributes['corner.order.number'])).toContain(order.order_number);
  expect(JSON.stringify(failed)).not.toContain(device);
});

test('the version that served a request is found by the request id', () => {
  const served = withAttribute('corner.request.id', requestId).filter(({ kind }) => kind === 2);
  expect(served.map(({ service }) => service).sort()).toEqual(['gateway', 'orders']);
  for (const { resource } of served)
    expect(resource).toMatchObject({ 'service.version': sharedVersion, 'deployment.environment.name': expect.any(String) });
  expect(new Set(served.map(({ resource }) => resource['service.instance.id'])).size).toBe(2);
});

test('requests, events and statements have the attributes of the semantic conventions', () => {
  const ofOrder = tracesOf(withAttribute('corner.order.number', order.order_number));
  const one = (name: string, service: string) => ofOrder.find((span) => span.name === name && span.service === service)?.attributes;
  expect(one('POST /api/v1/orders', 'orders')).toMatchObject({
    'url.path': '/api/v1/orders',
    'url.scheme': 'http',
    'server.address': expect.any(String),
    'http.response.status_code': 200,
  });
  expect(one('POST /api/v1/orders', 'gateway')).toMatchObject({
    'url.path': '/api/v1/orders',
    'url.scheme': 'http',
    'server.port': expect.any(Number),
  });
  const { port } = new URL(environment.system.services.orders.url);
  expect(one('POST orders', 'gateway')).toMatchObject({
    'service.peer.name': 'orders',
    'server.address': '127.0.0.1',
    'server.port': Number(port),
    'url.full': `http://127.0.0.1:${port}/api/v1/orders`,
    'http.response.status_code': 200,
  });
  const messaging = { 'messaging.system': 'nats', 'messaging.destination.name': 'ORDERS', 'corner.event.type': 'order.paid' };
  expect(one('publish order.paid', 'orders')).toMatchObject({ ...messaging, 'messaging.operation.type': 'send' });
  expect(one('process order.paid', 'loyalty')).toMatchObject({ ...messaging, 'corner.event.handler': 'awardStampsWhenOrderPaid' });
  const statement = ofOrder.find(({ attributes, service }) => service === 'orders' && attributes['db.system.name'] === 'postgresql');
  expect(statement?.attributes).toMatchObject({
    'db.operation.name': expect.any(String),
    'db.namespace': 'corner',
    'server.port': expect.any(Number),
  });
});
