import type { Producer, ServiceName } from '@corner/contracts';
import { AckPolicy, DeliverPolicy, JetStreamApiError, ReplayPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';
import { countRestore } from '../telemetry/restores.ts';
import { lacksAcknowledged } from './acknowledged-events.ts';
import type { ConsumerProgress } from './consumer-progress.ts';

/** Milliseconds the broker waits for an acknowledgement before it delivers again. A consumer that still works asks for more time. */
const ackWaitMs = 4_000;

interface Consuming {
  readonly broker: Broker;
  readonly database: Database;
  readonly service: ServiceName;
  readonly log: Log;
}

/**
 * Creates a service's durable consumer of a producer's stream, or sets it back to the first event that is not acknowledged. Without
 * that, events that were in progress when the last consumer ended would come again only after the ack wait, behind later events of their
 * aggregate. Where the database lacks events that were acknowledged, the whole stream is delivered again: the inbox ignores what it knows. A
 * consumer that is stuck is made anew: the servers of a cluster that were killed while it was made may never agree on it again.
 * Returns the last stream sequence that was in progress, or 0 when none was.
 */
export async function resumeConsumer(
  { broker, database, service, log }: Consuming,
  producer: Producer,
  progress: ConsumerProgress,
): Promise<number> {
  const state = await broker.ensureStream(producer).catch((error: unknown) => {
    // The broker is away: that says nothing about the consumer.
    progress.well();
    throw error;
  });
  const stream = broker.streamOf(producer);
  const info = await broker.jsm.consumers.info(stream, service).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === 10_014) return null; // "consumer not found"
    if (progress.silent()) return null;
    throw error;
  });
  const stuck = progress.isStuck();
  if (stuck) log.error({ producer }, 'events wait and the broker delivers none of them: making the consumer anew');
  const lacking = info !== null && (await lacksAcknowledged(database, broker, stream, info.ack_floor.stream_seq));
  if (lacking) {
    countRestore('lacks_events');
    log.error(
      { producer, acknowledged: info.ack_floor.stream_seq },
      'this database lacks events that were acknowledged, so it is older than the stream: reading the whole stream again',
    );
  }
  if (info && info.num_ack_pending === 0 && !lacking && !stuck) return 0;
  // A cluster deletes a consumer that has no leader, and does not reply.
  if (info || stuck)
    await broker.jsm.consumers.delete(stream, service).catch((error: unknown) => {
      if (!stuck) throw error;
    });
  const floor = info?.ack_floor.stream_seq ?? (stuck ? progress.floorIn(state) : null);
  await broker.jsm.consumers.add(stream, {
    durable_name: service,
    ack_policy: AckPolicy.Explicit,
    ...startAfter(lacking ? null : floor),
    replay_policy: ReplayPolicy.Instant,
    ack_wait: nanos(ackWaitMs),
    // The broker never gives up: a poison event becomes a dead letter in Postgres, with its reason.
    max_deliver: -1,
    max_ack_pending: 1_000,
  });
  progress.well();
  return lacking ? 0 : (info?.delivered.stream_seq ?? 0);
}

const startAfter = (sequence: number | null) =>
  sequence === null ? { deliver_policy: DeliverPolicy.All } : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: sequence + 1 };
