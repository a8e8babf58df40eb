import type { ServiceName } from '@corner/contracts';
import type pg from 'pg';
import type { Broker, ClaimedStreamState, StreamState } from '../broker/broker.ts';
import { retentionDays } from '../broker/streams.ts';
import type { Log } from '../telemetry/log.ts';
import { messageIdOf } from './envelope.ts';

/** The relay's connection to Postgres, and the stream it publishes to. */
export interface RelayedStream {
  readonly client: pg.Client;
  readonly broker: Broker;
  readonly service: ServiceName;
}

/**
 * Checks that the broker still holds what it acknowledged: it may lose its disk, or the end of a stream in a crash. When the newest
 * acknowledged event is not where it was, every batch after the newest one still held is marked as not acknowledged, so that the relay
 * publishes it again. Returns how many times it rewound (0 or 1), and what the stream lacks.
 */
export async function rewindToWhatTheBrokerHolds(relayed: RelayedStream, log: Log): Promise<Checked> {
  const { client, broker, service } = relayed;
  const stream = await broker.claimStream(service);
  const { known, newest } = await readRecord(client);
  const isNew = known !== stream.created;
  const { shortfall } = stream;
  if (!isNew && (await holds(relayed, stream, newest))) return { rewinds: 0, shortfall };
  const rewinds = known === null ? 0 : await rewind(relayed, stream, isNew, log);
  await client.query('update relay_state set stream_created = $1', [stream.created]);
  return { rewinds, shortfall };
}

interface Checked extends Pick<ClaimedStreamState, 'shortfall'> {
  readonly rewinds: number;
}

/** Marks what the stream has lost as not acknowledged. A new stream has lost everything. */
async function rewind(relayed: RelayedStream, stream: StreamState, isNew: boolean, log: Log): Promise<number> {
  const lastHeld = isNew ? 0 : await newestHeld(relayed, stream);
  const { rowCount } = await relayed.client.query(
    'update relay_batch set acked_at = null, last_stream_sequence = null, last_event_id = null, republished = republished + 1 where first_sequence > $1 and acked_at is not null',
    [lastHeld],
  );
  log.error({ batches: rowCount, wiped: isNew }, 'the broker lost events it had acknowledged: publishing them again');
  return 1;
}

/** Returns the first sequence of the newest batch whose last event is still in the stream, or 0. A binary search finds it. */
async function newestHeld(relayed: RelayedStream, stream: StreamState): Promise<number> {
  const { rows } = await relayed.client.query<AckedBatch>(
    `select ${ackedColumns} from relay_batch where acked_at is not null order by first_sequence`,
  );
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await holds(relayed, stream, rows[middle])) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : Number(rows[low - 1]?.first_sequence ?? 0);
}

/** Returns whether a batch's last event is in the stream where it was acknowledged; true for no batch and for one without events. */
async function holds({ broker, service }: RelayedStream, stream: StreamState, batch: AckedBatch | undefined): Promise<boolean> {
  if (!batch?.last_stream_sequence || !batch.last_event_id) return true;
  const sequence = Number(batch.last_stream_sequence);
  // Below the stream's first event: an old event has aged out, as it should; a young one has been lost.
  if (sequence < stream.firstSequence) return batch.old;
  const message = await broker.jsm.streams.getMessage(broker.streamOf(service), { seq: sequence });
  return message?.header?.get('Nats-Msg-Id') === messageIdOf(batch.last_event_id, batch.republished);
}

/** Reads when the stream was created that events were published to, null before the first, and the newest acknowledged batch. */
async function readRecord(client: pg.Client): Promise<{ readonly known: string | null; readonly newest: AckedBatch | undefined }> {
  const { rows } = await client.query<{ stream_created: string | null } & AckedBatch>({
    name: 'read-relay-record',
    text: `
      select s.stream_created, b.* from relay_state s
      left join lateral (
        select ${ackedColumns} from relay_batch where acked_at is not null order by first_sequence desc limit 1
      ) b on true`,
  });
  return { known: rows[0]?.stream_created ?? null, newest: rows[0] };
}

// One day less than the retention, because the broker's clock and the database's may differ.
const ackedColumns = `first_sequence, last_stream_sequence, last_event_id, republished,
  acked_at < clock_timestamp() - interval '${retentionDays - 1} days' as old`;

interface AckedBatch {
  readonly first_sequence: string;
  readonly last_stream_sequence: string | null;
  readonly last_event_id: string | null;
  readonly republished: number;
  /** Acknowledged so long ago that the stream may have dropped it by age. */
  readonly old: boolean;
}
