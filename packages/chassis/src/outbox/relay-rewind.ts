import type { ServiceName } from '@corner/contracts';
import type pg from 'pg';
import { type Broker, retentionDays } from '../broker/broker.ts';
import type { Log } from '../telemetry/log.ts';
import { messageIdOf } from './relay-batches.ts';

/**
 * An acknowledgement from the broker is a hint: it may lose its disk, or its tail after a crash. This looks whether the
 * newest event it acknowledged still stands where it said, and if not, marks every later tick as not acknowledged, so that
 * the relay publishes them again. Answers how many times it had to rewind (0 or 1).
 */
export async function rewindToWhatTheBrokerHolds(client: pg.Client, broker: Broker, service: ServiceName, log: Log): Promise<number> {
  const stream = await broker.ensureStream(service);
  const { rows } = await client.query<{ stream_created: string | null }>('select stream_created from relay_state');
  const known = rows[0]?.stream_created ?? null;
  if (known === stream.created && (await holds(client, broker, service, stream, null))) return 0;
  const rewound = known === null ? 0 : await rewind(client, broker, service, stream, known !== stream.created, log);
  await client.query('update relay_state set stream_created = $1', [stream.created]);
  return rewound;
}

interface StreamState {
  readonly created: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
}

interface AckedBatch {
  readonly first_sequence: string;
  readonly last_stream_sequence: string | null;
  readonly last_event_id: string | null;
  readonly republished: number;
  /** Acknowledged so long ago that the stream may have let it go by age. */
  readonly old: boolean;
}

// A day's margin, since the broker's clock and this one need not agree.
const ackedColumns = `first_sequence, last_stream_sequence, last_event_id, republished,
  acked_at < clock_timestamp() - interval '${retentionDays - 1} days' as old`;

async function rewind(
  client: pg.Client,
  broker: Broker,
  service: ServiceName,
  stream: StreamState,
  isNew: boolean,
  log: Log,
): Promise<number> {
  const kept = isNew ? 0 : await newestHeld(client, broker, service, stream);
  const { rowCount } = await client.query(
    'update relay_batch set acked_at = null, last_stream_sequence = null, last_event_id = null, republished = republished + 1 where first_sequence > $1 and acked_at is not null',
    [kept],
  );
  log.error({ batches: rowCount, wiped: isNew }, 'the broker lost events it had acknowledged: publishing them again');
  return 1;
}

/** First sequence of the newest tick whose last event still stands in the stream, found by halving; 0 when none does. */
async function newestHeld(client: pg.Client, broker: Broker, service: ServiceName, stream: StreamState): Promise<number> {
  const { rows } = await client.query<AckedBatch>(
    `select ${ackedColumns} from relay_batch where acked_at is not null order by first_sequence`,
  );
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const batch = rows[middle];
    if (batch && (await holds(client, broker, service, stream, batch))) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : Number(rows[low - 1]?.first_sequence ?? 0);
}

/** Whether a tick's last event (the newest acknowledged tick's, when none is given) stands in the stream where it was acknowledged. */
async function holds(
  client: pg.Client,
  broker: Broker,
  service: ServiceName,
  stream: StreamState,
  given: AckedBatch | null,
): Promise<boolean> {
  const batch = given ?? (await newestAcked(client));
  if (!batch?.last_stream_sequence || !batch.last_event_id) return true;
  const sequence = Number(batch.last_stream_sequence);
  if (sequence > stream.lastSequence) return false;
  // Below the stream's first event it may have aged out, as it should; while it is young, it was taken.
  if (sequence < stream.firstSequence) return batch.old;
  const message = await broker.jsm.streams.getMessage(broker.streamOf(service), { seq: sequence });
  return message?.header?.get('Nats-Msg-Id') === messageIdOf(batch.last_event_id, batch.republished);
}

async function newestAcked(client: pg.Client): Promise<AckedBatch | undefined> {
  const { rows } = await client.query<AckedBatch>(
    `select ${ackedColumns} from relay_batch
     where acked_at is not null order by first_sequence desc limit 1`,
  );
  return rows[0];
}
