import type { Producer, ServiceName } from '@corner/contracts';
import { AckPolicy, type ConsumerInfo, DeliverPolicy, JetStreamApiError, ReplayPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';
import { countRestore } from '../telemetry/restores.ts';
import { lacksAcknowledged } from './acknowledged-events.ts';

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
 * aggregate. Where the database lacks events that were acknowledged, the whole stream is delivered again: the inbox ignores what it knows.
 * Returns the last stream sequence that was in progress, or 0 when none was.
 */
export async function resumeConsumer({ broker, database, service, log }: Consuming, producer: Producer): Promise<number> {
  await broker.ensureStream(producer);
  const stream = broker.streamOf(producer);
  const info = await broker.jsm.consumers.info(stream, service).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === 10_014) return null; // "consumer not found"
    throw error;
  });
  const lacking = info !== null && (await lacksAcknowledged(database, broker, stream, info.ack_floor.stream_seq));
  if (lacking) {
    countRestore('lacks_events');
    log.error(
      { producer, acknowledged: info.ack_floor.stream_seq },
      'this database lacks events that were acknowledged, so it is older than the stream: reading the whole stream again',
    );
  }
  if (info && info.num_ack_pending === 0 && !lacking) return 0;
  if (info) await broker.jsm.consumers.delete(stream, service);
  await broker.jsm.consumers.add(stream, {
    durable_name: service,
    ack_policy: AckPolicy.Explicit,
    ...startOf(lacking ? null : info),
    replay_policy: ReplayPolicy.Instant,
    ack_wait: nanos(ackWaitMs),
    // The broker never gives up: a poison event becomes a dead letter in Postgres, with its reason.
    max_deliver: -1,
    max_ack_pending: 1_000,
  });
  return lacking ? 0 : (info?.delivered.stream_seq ?? 0);
}

const startOf = (info: ConsumerInfo | null) =>
  info
    ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: info.ack_floor.stream_seq + 1 }
    : { deliver_policy: DeliverPolicy.All };
