import type { ServiceName } from '@corner/contracts';
import type pg from 'pg';
import { elapsedMs } from '../async/clock.ts';
import type { Broker } from '../broker/broker.ts';
import { readStored } from '../broker/read-stored.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * The stream's last sequence is read at the first interval: it goes back when the broker is restored. The whole stream is read at the
 * second, even without a sign of loss.
 */
const seeMs = 5_000;
const readAgainMs = 3_600_000;
/** Events that one statement publishes again: it has to end within the role's limit. */
const sliceSize = 2_000;
const readingMs = 600_000;

interface LossOptions {
  readonly broker: Broker;
  readonly service: ServiceName;
  readonly log: Log;
}

/**
 * Returns a function that publishes again the events that the stream may have lost: when the connection is another one, when the stream
 * ends earlier than at the last look, and each hour. It looks every five seconds, and at once when `hasPublished`, so that it knows the
 * end. Call it while no batch is under way.
 */
export function watchForLoss(client: pg.Client, options: LossOptions): (hasPublished: boolean) => Promise<void> {
  const { broker, service } = options;
  let readOn: AbortSignal | null = null;
  let [readAt, seenAt, end] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  return async (hasPublished) => {
    const connection = broker.untilLost();
    let mayLack = connection !== readOn || elapsedMs() - readAt >= readAgainMs;
    if (hasPublished || elapsedMs() - seenAt >= seeMs) {
      const { lastSequence } = await broker.lookAtStream(service);
      if (lastSequence < end) mayLack = true;
      end = lastSequence;
      seenAt = elapsedMs();
    }
    if (!mayLack) return;
    await publishLostSnapshots(client, options);
    readOn = connection;
    readAt = elapsedMs();
  };
}

interface NewestRow {
  readonly transaction_id: string;
  readonly id: string;
  readonly type: string;
  readonly aggregate_id: string;
  readonly aggregate_sequence: string;
}

/**
 * Publishes again the newest event of each aggregate if it was published and is gone from the stream, as after the broker lost power or was
 * restored to an earlier moment. It is for a producer whose events have no numbers by which consumers could request them. It sees as far
 * back as the outbox is kept. Call it while no batch is under way.
 */
export async function publishLostSnapshots(client: pg.Client, { broker, service, log }: LossOptions): Promise<void> {
  const rows = await newestPublished(client);
  const lost = new Map(rows.map((row) => [`${row.type} ${row.aggregate_id}`, row]));
  if (lost.size === 0) return;
  await readStored(broker, service, {
    from: 1,
    async onPage(events) {
      for (const { envelope } of events) {
        const key = `${envelope.type} ${envelope.subject}`;
        if (envelope.sequence >= Number(lost.get(key)?.aggregate_sequence ?? Number.POSITIVE_INFINITY)) lost.delete(key);
      }
    },
  });
  if (lost.size === 0) return;
  const keys = [...lost.values()];
  for (let from = 0; from < keys.length; from += sliceSize) {
    const slice = keys.slice(from, from + sliceSize);
    await client.query('select publish_again($1::xid8[], $2::bigint[])', [
      slice.map(({ transaction_id }) => transaction_id),
      slice.map(({ id }) => id),
    ]);
  }
  log.warn({ events: keys.length }, 'the stream had lost events of this service, which are published again');
}

async function newestPublished(client: pg.Client): Promise<readonly NewestRow[]> {
  await client.query('set statement_timeout = 0');
  // A constant: the driver's types lack `query_timeout`.
  const query = {
    text: `
      select distinct on (o.type, o.aggregate_id) o.transaction_id, o.id, o.type, o.aggregate_id, o.aggregate_sequence
      from outbox o, relay_state s where pg_visible_in_snapshot(o.transaction_id, s.snapshot)
      order by o.type, o.aggregate_id, o.aggregate_sequence desc`,
    query_timeout: readingMs,
  };
  const { rows } = await client.query<NewestRow>(query);
  await client.query('reset statement_timeout');
  return rows;
}
