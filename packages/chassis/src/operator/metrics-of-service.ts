import type { Producer, ServiceName } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Broker } from '../broker/broker.ts';
import type { Database } from '../database/database.ts';
import type { EventHandlers } from '../inbox/event-handler.ts';
import type { Relay } from '../outbox/relay.ts';
import { observe } from '../telemetry/metrics.ts';
import { nameEntryPoints } from '../telemetry/metrics-catalog.ts';

/** Events counted at most: a backlog beyond is as bad as it looks, and counting it must not make it worse. */
const countedAtMost = 10_000;

const Waiting = z.object({ dead: z.number(), backlog: z.number(), age: z.number() });

/** Watches a service's database: its connections, its outbox, its dead letters. Answers how to stop it. */
export function observeDatabase(database: Database): () => void {
  const stopTurns = observe(['db.client.connection.count', 'db.client.connection.max', 'db.client.connection.pending_requests'], (say) => {
    const { acquired, waiting, size } = database.state();
    say('db.client.connection.count', acquired, { 'db.client.connection.state': 'used' });
    say('db.client.connection.count', size - acquired, { 'db.client.connection.state': 'idle' });
    say('db.client.connection.max', size, {});
    say('db.client.connection.pending_requests', waiting, {});
  });
  const stopWaiting = observe(['corner.dead_letters.open', 'corner.outbox.backlog', 'corner.outbox.age'], async (say) => {
    const { dead, backlog, age } = await readWaiting(database);
    say('corner.dead_letters.open', dead, {});
    say('corner.outbox.backlog', backlog, {});
    say('corner.outbox.age', age, {});
  });
  return () => {
    stopTurns();
    stopWaiting();
  };
}

/** What waits: untold events are those of ticks without an acknowledgement, and those that no tick has seen. */
const readWaiting = (database: Database): Promise<z.output<typeof Waiting>> =>
  database.one(sql.prepared('what-waits', Waiting)`
    with known as (
      select coalesce(
        (select snapshot_before from relay_batch where acked_at is null order by first_sequence limit 1),
        (select snapshot from relay_state)) as snapshot
    ), untold as (
      select o.created_at from outbox o, known
      where o.transaction_id >= pg_snapshot_xmin(known.snapshot) and not pg_visible_in_snapshot(o.transaction_id, known.snapshot)
      order by o.transaction_id limit ${countedAtMost}
    )
    select count(*) as backlog,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - min(created_at))), 0)::float8 as age,
      (select count(*) from dead_letter where settled_at is null) as dead
    from untold`);

/** Watches a service's part in the backbone: its relay, and how far it is behind each teller it listens to. */
export function observeBackbone<Context>(
  service: ServiceName,
  { broker, relay, eventHandlers }: { readonly broker: Broker; readonly relay: Relay; readonly eventHandlers: EventHandlers<Context> },
): () => void {
  nameEntryPoints('corner.event.handler', Object.keys(eventHandlers));
  const producers = [...new Set<Producer>(Object.values(eventHandlers).flatMap(({ event }) => event.producers))];
  const stopRelay = observe(['corner.relay.leading', 'corner.relay.rewinds'], (say) => {
    say('corner.relay.leading', relay.state.leading ? 1 : 0, {});
    say('corner.relay.rewinds', relay.state.rewinds, {});
  });
  const stopLag = observe(['corner.consumer.lag'], async (say) => {
    await Promise.all(
      producers.map(async (producer) => {
        const { num_pending, num_ack_pending } = await broker.jsm.consumers.info(broker.streamOf(producer), service);
        say('corner.consumer.lag', num_pending + num_ack_pending, { 'corner.producer': producer });
      }),
    );
  });
  return () => {
    stopRelay();
    stopLag();
  };
}
