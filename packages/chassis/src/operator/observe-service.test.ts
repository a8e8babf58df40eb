import { tcpProxyTo, until } from '@corner/testkit';
import { afterEach, beforeEach, test } from '@jest/globals';
import { AckPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Metrics, startMetrics } from '../telemetry/metrics.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { consumer } from '../testing/services.ts';

let platform: Platform;
let metrics: Metrics;
beforeEach(async () => {
  metrics = startMetrics({ service: 'loyalty' });
  platform = await preparePlatform();
});
afterEach(async () => {
  await platform[Symbol.asyncDispose]();
  await metrics.stop();
});

const untilValue = (metric: string, value: number) =>
  until(async () => new RegExp(`^${metric}\\{[^}]*corner_producer="orders"[^}]*\\} ${value}$`, 'm').test((await metrics.text()) ?? ''), {
    describe: `${metric} to be ${value}`,
  });

test('a service that never reached its broker counts as one that pulls nothing', async () => {
  await using proxy = await tcpProxyTo(platform.broker.url, { cut: true });
  await using _loyalty = await platform.start(consumer(), {}, { NATS_URL: proxy.url });
  await untilValue('corner_consumer_pulling', 0);
  proxy.mend();
  await untilValue('corner_consumer_pulling', 1);
});

test('a service that gets no consumer pulls nothing, and lags by all events of the stream', async () => {
  await using connection = disposable(await connect({ servers: platform.broker.url }));
  const jsm = await jetstreamManager(connection.nats);
  const [name, subject] = [`${platform.broker.namespace.toUpperCase()}ORDERS`, `${platform.broker.namespace}orders`];
  await jsm.streams.delete(name);
  // A consumer that the operator has made uses up the operator's limit.
  await jsm.streams.add({ name, subjects: [`${subject}.>`], max_consumers: 1 });
  await jsm.consumers.add(name, { durable_name: 'backup', ack_policy: AckPolicy.Explicit });
  await jsm.jetstream().publish(`${subject}.something`, 'an event');
  await using _loyalty = await platform.start(consumer());
  await untilValue('corner_consumer_lag', 1);
  await untilValue('corner_consumer_pulling', 0);
});

const disposable = (nats: NatsConnection) => ({ nats, [Symbol.asyncDispose]: () => nats.close() });
