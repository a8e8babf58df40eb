import { Envelope, type ServiceName } from '@corner/contracts';
import type pg from 'pg';
import type { Broker } from '../broker/broker.ts';
import { retentionDays } from '../broker/streams.ts';
import type { Log } from '../telemetry/log.ts';
import { countRestore } from '../telemetry/restores.ts';

/**
 * Reports when the stream ends with an event that the outbox should hold and does not: the database was restored to an earlier time, or a
 * standby that was behind has taken over. Consumers have such events, and this service does not know any more what it published.
 */
export async function reportUnknownEvents(client: pg.Client, broker: Broker, service: ServiceName, log: Log): Promise<void> {
  const { lastSequence } = await broker.ensureStream(service);
  if (lastSequence === 0) return;
  const message = await broker.jsm.streams.getMessage(broker.streamOf(service), { seq: lastSequence });
  const { data: newest } = Envelope.safeParse(message ? parse(message.string()) : null);
  // One day less than the outbox keeps an event, because the clocks of two machines may differ.
  if (!newest || Date.parse(newest.time) < Date.now() - (retentionDays - 1) * 86_400_000) return;
  const { rows } = await client.query<{ known: boolean; acknowledged: string | null }>(
    `select exists (select 1 from outbox where event_id = $1) as known,
       (select last_stream_sequence from relay_batch where acked_at is not null order by first_sequence desc limit 1) as acknowledged`,
    [newest.id],
  );
  if (rows[0]?.known) return;
  countRestore('unknown_events');
  log.error(
    {
      event_id: newest.id,
      type: newest.type,
      published_at: newest.time,
      after_sequence: Number(rows[0]?.acknowledged ?? 0),
      up_to_sequence: lastSequence,
    },
    'the stream holds events that this database does not know: it is older than the stream',
  );
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

/**
 * Makes the outbox readable after the database was restored from a dump on a server that numbers its transactions anew: the relay reads by
 * these numbers. All events that the outbox keeps are then published again, and the inboxes ignore those they know.
 */
export async function renumberAfterDump(client: pg.Client, log: Log): Promise<void> {
  // After a dump it writes every row of the outbox once, for which the role's limit may be too short.
  await client.query('set statement_timeout = 0');
  const { rows } = await client.query<{ renumbered: boolean }>('select renumber_outbox() as renumbered');
  await client.query('reset statement_timeout');
  if (!rows[0]?.renumbered) return;
  countRestore('renumbered');
  log.warn('transactions are numbered anew, as after a restore from a dump: publishing the whole outbox again');
}
