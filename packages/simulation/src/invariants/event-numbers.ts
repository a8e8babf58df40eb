import { events, producersFor, type RequiredService, requiredServices } from '@corner/contracts';
import type pg from 'pg';
import { type Breach, breaches } from './breach.ts';

/**
 * Compares the outbox of each producer with the inbox of each consuming service: the number of an event is the first number of its relay
 * batch plus its place in the batch, in order of id. Returns every range of numbers missing from an inbox, every gap between two batches,
 * every batch with another number of rows than it states, and every event without a number.
 */
export async function numbersAgree(client: pg.Client): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const producer of requiredServices) {
    const gaps = await client.query(
      `select * from (
         select first_number::int as "from", lag(first_number + size) over (order by first_number)::int as expected from ${producer}.relay_batch
       ) batch where "from" <> expected`,
    );
    const sizes = await client.query(
      `with numbered as (${numberedSql(producer)})
       select b.first_number::int as "from", b.size, count(n.event_id)::int as rows
       from ${producer}.relay_batch b left join numbered n on n.first_number = b.first_number
       group by b.first_number, b.size having count(n.event_id) <> b.size`,
    );
    const unnumbered = await client.query(
      `with numbered as (${numberedSql(producer)})
       select o.event_id, o.type from ${producer}.outbox o left join numbered n on n.event_id = o.event_id where n.event_id is null`,
    );
    found.push(
      ...breaches('wrong', `the numbers of ${producer} have no gaps`, gaps.rows),
      ...breaches('wrong', `each batch of ${producer} has its events`, sizes.rows),
      ...breaches('lost', `every event of ${producer} has a number`, unnumbered.rows),
    );
    for (const consumer of consumersOfProducer(producer)) {
      const { rows } = await client.query(
        `with numbered as (${numberedSql(producer)}),
         lacking as (
           select n.number, n.number - row_number() over (order by n.number) as range
           from numbered n where not exists (select from ${consumer}.inbox i where i.event_id = n.event_id and i.producer = '${producer}' and i.number = n.number))
         select min(number)::int as "from", max(number)::int as "to" from lacking group by range order by 1`,
      );
      found.push(...breaches('lost', `${consumer} has processed every number of ${producer}`, rows));
    }
  }
  return found;
}

export const consumersOfProducer = (producer: RequiredService): RequiredService[] =>
  requiredServices.filter((service) => producersFor(service).includes(producer));

const numberedSql = (producer: RequiredService): string => `
  select b.first_number, b.first_number + row_number() over (partition by b.first_number order by o.id) - 1 as number, o.event_id
  from ${producer}.relay_batch b join ${producer}.outbox o
    on o.transaction_id >= pg_snapshot_xmin(b.snapshot_before) and o.transaction_id < pg_snapshot_xmax(b.snapshot_after)
    and pg_visible_in_snapshot(o.transaction_id, b.snapshot_after) and not pg_visible_in_snapshot(o.transaction_id, b.snapshot_before)`;

/**
 * Finds unknown events that a consumer does not report. After a restore of a producer's database to an earlier moment, a consumer may have
 * processed events that the producer no longer has; it reports such an event by removing its number.
 */
export async function unknownEventsNamed(client: pg.Client): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const producer of requiredServices) {
    const types = events.filter(({ producers }) => producers.every((one) => one === producer)).map(({ type }) => type);
    for (const consumer of consumersOfProducer(producer)) {
      const { rows } = await client.query(
        `select i.event_id, i.type from ${consumer}.inbox i
         where i.type = any($1) and not exists (select from ${producer}.outbox o where o.event_id = i.event_id)
           and i.number is not null`,
        [types],
      );
      found.push(...breaches('wrong', `${consumer} names the events that ${producer} does not know any more`, rows));
    }
  }
  return found;
}
