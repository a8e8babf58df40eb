import type { Producer, ServiceName } from '@corner/contracts';
import { consumerNameOf } from '@corner/nats';
import type { Broker } from '../broker/broker.ts';
import type { Database } from '../database/database.ts';
import type { Consumers } from '../inbox/consumer.ts';
import type { EventHandlers } from '../inbox/event-handler.ts';
import { countIgnored } from '../inbox/ignored-snapshots.ts';
import { producerOf } from '../inbox/parts.ts';
import { readCompleteness } from '../inbox/position.ts';
import type { Relay } from '../outbox/relay.ts';
import { nameEntryPoints } from '../telemetry/metric-labels.ts';
import { observe } from '../telemetry/metrics.ts';
import { observeRestores } from '../telemetry/restores.ts';
import { readBacklog } from './read-backlog.ts';

export function observeDatabase(database: Database): () => void {
  const stopConnections = observe(
    ['db.client.connection.count', 'db.client.connection.max', 'db.client.connection.pending_requests'],
    (report) => {
      const { acquired, waiting, size } = database.state();
      report('db.client.connection.count', acquired, { 'db.client.connection.state': 'used' });
      report('db.client.connection.count', size - acquired, { 'db.client.connection.state': 'idle' });
      report('db.client.connection.max', size, {});
      report('db.client.connection.pending_requests', waiting, {});
    },
  );
  const stopBacklog = observe(['corner.dead_letters.open', 'corner.outbox.backlog', 'corner.outbox.age'], async (report) => {
    const { dead, backlog, age } = await readBacklog(database);
    report('corner.dead_letters.open', dead, {});
    report('corner.outbox.backlog', backlog, {});
    report('corner.outbox.age', age, {});
  });
  const stopCompleteness = observe(
    ['corner.consumer.complete', 'corner.consumer.missing', 'corner.consumer.unknown', 'corner.consumer.lost'],
    async (report) => {
      for (const { producer, complete_up_to, missing, unknown, lost } of await readCompleteness(database)) {
        const labels = { 'corner.producer': producer };
        report('corner.consumer.complete', complete_up_to ?? 0, labels);
        report('corner.consumer.missing', missing, labels);
        report('corner.consumer.unknown', unknown, labels);
        report(
          'corner.consumer.lost',
          lost.reduce((sum, { from, to }) => sum + to - from + 1, 0),
          labels,
        );
      }
    },
  );
  const stopDirectory = observe(['corner.directory.ignored'], async (report) => {
    report('corner.directory.ignored', await countIgnored(database), {});
  });
  const stopRestores = observeRestores();
  return () => {
    stopConnections();
    stopCompleteness();
    stopBacklog();
    stopDirectory();
    stopRestores();
  };
}

export interface ObservedBackbone<Context> {
  /** Null before the first connection to the broker: then nothing is published or pulled, which an alert reports. */
  readonly backbone: () => { readonly broker: Broker; readonly relay: Relay; readonly consumers: Consumers } | null;
  readonly eventHandlers: EventHandlers<Context>;
}

export function observeBackbone<Context>(service: ServiceName, { backbone, eventHandlers }: ObservedBackbone<Context>): () => void {
  nameEntryPoints('corner.event.handler', Object.keys(eventHandlers));
  const producers = [...new Set<Producer>(Object.values(eventHandlers).flatMap(({ event }) => event.producers))];
  const stopRelay = observe(['corner.relay.leading', 'corner.broker.stores_nothing'], (report) => {
    const state = backbone()?.relay.state;
    report('corner.relay.leading', state?.leading ? 1 : 0, {});
    report('corner.broker.stores_nothing', state?.storesNothing ? 1 : 0, {});
  });
  const stopPulling = observe(['corner.consumer.pulling'], (report) => {
    const pulling = backbone()?.consumers.state.pulling;
    const pulled = [...(pulling ?? [])].map(producerOf);
    for (const producer of producers) {
      const count = pulled.filter((one) => one === producer).length;
      report('corner.consumer.pulling', count, { 'corner.producer': producer });
    }
  });
  // Separately: where one cannot be read, the others can.
  const stopLags = producers.map((producer) =>
    observe(['corner.consumer.lag'], async (report) => {
      const { broker, consumers } = backbone() ?? {};
      if (!broker || !consumers) return;
      const lags = Array.from({ length: consumers.state.parts }, (_, part) => broker.lagOf(producer, consumerNameOf(service, part)));
      report('corner.consumer.lag', Math.max(...(await Promise.all(lags))), { 'corner.producer': producer });
    }),
  );
  return () => {
    for (const stop of [stopRelay, stopPulling, ...stopLags]) stop();
  };
}
