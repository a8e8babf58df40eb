import type { Producer, ServiceName } from '@corner/contracts';
import type { Broker } from '../broker/broker.ts';
import type { Database } from '../database/database.ts';
import type { EventHandlers } from '../inbox/event-handler.ts';
import type { Relay } from '../outbox/relay.ts';
import { nameEntryPoints } from '../telemetry/metric-labels.ts';
import { observe } from '../telemetry/metrics.ts';
import { observeRestores } from '../telemetry/restores.ts';
import { readBacklog } from './read-backlog.ts';

/** Reports metrics of a service's database: connections, outbox backlog, dead letters. Returns a function that stops it. */
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
  const stopRestores = observeRestores();
  return () => {
    stopConnections();
    stopBacklog();
    stopRestores();
  };
}

/** Reports metrics of a service's relay and how far it is behind each producer it consumes from. Returns a function that stops it. */
export function observeBackbone<Context>(
  service: ServiceName,
  { broker, relay, eventHandlers }: { readonly broker: Broker; readonly relay: Relay; readonly eventHandlers: EventHandlers<Context> },
): () => void {
  nameEntryPoints('corner.event.handler', Object.keys(eventHandlers));
  const producers = [...new Set<Producer>(Object.values(eventHandlers).flatMap(({ event }) => event.producers))];
  const stopRelay = observe(['corner.relay.leading', 'corner.relay.rewinds'], (report) => {
    report('corner.relay.leading', relay.state.leading ? 1 : 0, {});
    report('corner.relay.rewinds', relay.state.rewinds, {});
  });
  const stopLag = observe(['corner.consumer.lag'], async (report) => {
    await Promise.all(
      producers.map(async (producer) => {
        const { num_pending, num_ack_pending } = await broker.jsm.consumers.info(broker.streamOf(producer), service);
        report('corner.consumer.lag', num_pending + num_ack_pending, { 'corner.producer': producer });
      }),
    );
  });
  return () => {
    stopRelay();
    stopLag();
  };
}
