import { type RequiredService, requiredServices } from '@corner/contracts';
import { consumersOfProducer } from '@corner/simulation';
import { until } from '@corner/testkit';
import pg from 'pg';
import { asAdministrator } from './faults/streams.ts';
import type { Stage } from './stage.ts';
import { runTraffic } from './traffic.ts';

const eventsOfAnInsert = 5_000;

/** Puts the ids into the inboxes too, so that the events have no effects. Resolves when NATS has delivered all. */
export async function makeEventHistory(stage: Stage, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: stage.system.databaseUrl });
  await client.connect();
  try {
    const existing = await countEvents(client);
    if (existing >= count) return;
    await runTraffic(stage, { perSecond: 24, seconds: 4, until: Promise.resolve(), random: () => 0.5 });
    const producers = requiredServices.filter((service) => consumersOfProducer(service).length > 0);
    const perProducer = Map.groupBy(await countsOf(client, producers), ({ events }) => events > 0).get(true) ?? [];
    for (const { producer, events } of perProducer) {
      const wanted = Math.ceil(count / perProducer.length);
      for (let k = 0, made = 0; made < wanted; ) {
        const times = Math.max(1, Math.floor(eventsOfAnInsert / events));
        made += await multiplyEvents(client, producer, k, k + times);
        k += times;
      }
    }
    await client.query('analyze');
  } finally {
    await client.end();
  }
  await until(() => allDelivered(stage), { describe: 'the history to be delivered', timeoutMs: 600_000 });
}

const countsOf = async (client: pg.Client, producers: readonly RequiredService[]) =>
  await Promise.all(
    producers.map(async (producer) => {
      const { rows } = await client.query<{ events: number }>(`select least(count(*), 500)::int as events from ${producer}.outbox`);
      return { producer, events: rows[0]?.events ?? 0 };
    }),
  );

async function countEvents(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    `select (${requiredServices.map((service) => `(select count(*) from ${service}.outbox)`).join(' + ')})::int as events`,
  );
  return rows[0]?.events ?? 0;
}

async function multiplyEvents(client: pg.Client, producer: RequiredService, from: number, to: number): Promise<number> {
  const numbers = `(select * from ${producer}.outbox order by id limit 500) o cross join generate_series(${from}, ${to - 1}) k`;
  const eventId = `md5(o.event_id::text || k)::uuid`;
  await client.query('begin');
  for (const consumer of consumersOfProducer(producer))
    await client.query(`insert into ${consumer}.inbox (event_id, type) select ${eventId}, o.type from ${numbers}`);
  const { rowCount } = await client.query(
    `insert into ${producer}.outbox (event_id, type, version, aggregate_id, aggregate_sequence, store_id, customer_id, data)
     select ${eventId}, o.type, o.version, md5(o.aggregate_id || k)::uuid::text, o.aggregate_sequence, o.store_id, o.customer_id,
       o.data || case when o.data ? 'order_id' then jsonb_build_object('order_id', md5(o.data ->> 'order_id' || k)::uuid) else '{}' end
     from ${numbers}`,
  );
  await client.query('commit');
  return rowCount ?? 0;
}

const allDelivered = (stage: Stage): Promise<boolean> =>
  asAdministrator(stage, async (jsm) => {
    const client = new pg.Client({ connectionString: stage.system.databaseUrl });
    await client.connect();
    try {
      for (const producer of requiredServices) {
        const { rows } = await client.query<{ behind: boolean }>(
          `select exists (select from ${producer}.relay_batch where acked_at is null)
             or not pg_visible_in_snapshot(coalesce((select max(transaction_id) from ${producer}.outbox), '0'), s.snapshot) as behind
           from ${producer}.relay_state s`,
        );
        if (rows[0]?.behind) return false;
        for await (const { num_pending, num_ack_pending } of jsm.consumers.list(producer.toUpperCase()))
          if (num_pending + num_ack_pending > 0) return false;
      }
      return true;
    } finally {
      await client.end();
    }
  });
