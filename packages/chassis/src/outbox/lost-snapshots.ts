import type { ServiceName } from '@corner/contracts';
import type pg from 'pg';
import type { Broker } from '../broker/broker.ts';
import { readStored } from '../broker/read-stored.ts';
import type { Log } from '../telemetry/log.ts';

interface NewestRow {
  readonly transaction_id: string;
  readonly id: string;
  readonly type: string;
  readonly aggregate_id: string;
  readonly aggregate_sequence: string;
}

/**
 * Has the newest event of each aggregate published again that was published and is not in the stream any more, as after the broker lost power
 * or was restored to an earlier moment. It is for a producer whose events consumers do not ask for by number: there nothing else brings back
 * what the stream has lost. It sees as far back as the outbox is kept. Call it while no batch is under way.
 */
export async function publishLostSnapshots(
  client: pg.Client,
  { broker, service, log }: { readonly broker: Broker; readonly service: ServiceName; readonly log: Log },
): Promise<void> {
  const { rows } = await client.query<NewestRow>(`
    select distinct on (o.type, o.aggregate_id) o.transaction_id, o.id, o.type, o.aggregate_id, o.aggregate_sequence
    from outbox o, relay_state s where pg_visible_in_snapshot(o.transaction_id, s.snapshot)
    order by o.type, o.aggregate_id, o.aggregate_sequence desc`);
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
  await client.query('select publish_again($1::xid8[], $2::bigint[])', [
    keys.map(({ transaction_id }) => transaction_id),
    keys.map(({ id }) => id),
  ]);
  log.warn({ events: keys.length }, 'the stream had lost events of this service, which are published again');
}
