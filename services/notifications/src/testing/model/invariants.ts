import { erasureBy } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Arrivals } from './arrivals.ts';
import type { History } from './world.ts';

const Row = z.object({ event_id: z.string(), state: z.string() });
const What = z.object({ what: z.string() });

/**
 * Each event, and each text of staff that was taken, has one message of its customer, which is sent if it has arrived; each answer and each change of preferences has its event,
 * and the last answer is in force. No message may be due.
 */
export async function violationsInRows(history: History, arrivals: Arrivals): Promise<readonly string[]> {
  const { testbed, storeId, causes, erased } = history;
  const { database } = testbed.running.service;
  const rows = await database.any(sql.type(Row)`select event_id, state from message where store_id = ${storeId}`);
  const states = Map.groupBy(rows, ({ event_id }) => event_id);
  const inMessages = [...causes].flatMap(([n, { eventId, who }]) => {
    if (who === null) return [];
    const found = states.get(eventId ?? '') ?? [];
    if (who === 'zed' && erased !== 'no') return found.length > 0 ? [`message ${n} of an erased customer is ${found[0]?.state}`] : [];
    if (eventId === null) return arrivals.times(n) === 0 ? [] : [`message ${n}, which was refused, has arrived`];
    const [{ state } = { state: 'missing' }] = found;
    const fits = state === 'sent' ? arrivals.times(n) > 0 : arrivals.times(n) === 0 || arrivals.isRepeated(who);
    return found.length === 1 && fits ? [] : [`message ${n} of ${who}: ${found.length} rows, ${state}, arrived ${arrivals.times(n)} times`];
  });
  const inConsent = await database.anyFirst(sql.type(What)`
    with asked as (select *, customer_id || ':' || store_id as aggregate from marketing_ask where store_id = ${storeId})
    select 'preferences were published with a gap' as what from asked a where a.event_sequence <> (
      select count(distinct aggregate_sequence) from outbox where aggregate_id = a.aggregate)
    union all select 'the last answer is not what holds' from asked a
      where coalesce((select accepted from consent c where c.customer_id = a.customer_id and c.store_id = a.store_id order by sequence desc limit 1), false)
        <> coalesce((select marketing_enabled from preference p where p.customer_id = a.customer_id and p.store_id = a.store_id), false)
    union all select 'an answer has no event' from consent c join asked a using (customer_id, store_id)
      where not exists (select from outbox where aggregate_id = a.aggregate and aggregate_sequence = c.sequence)
    union all select 'a question was counted without an answer' from asked a
      where a.asks <> (select count(ask) from consent c where c.customer_id = a.customer_id and c.store_id = a.store_id)`);
  return [...inMessages, ...inConsent];
}

/** Tables where the number of an erased customer stays, since it no longer identifies them. */
const keptNumbers = ['dead_letter', 'erased_customer', 'ignored_snapshot', 'inbox', 'outbox', 'snapshot_version', 'topic'];

/** Finds the remains of the erased customer: `now`, or `for good`, after the day in which wallets get void passes. */
export async function leftOfErased({ testbed: { running }, customers: { zed }, erased }: History, when: 'now' | 'for good') {
  if (erased === 'no') return [];
  const named = await running.tablesWith(zed.mark);
  const numbered = when === 'now' ? [] : await running.tablesWith(zed.id);
  const steps = (await erasureBy(running, 'notifications', zed.id))?.steps.map((step) => step.replace(/^\d+ /, '')) ?? [];
  return [
    ...named.filter((table) => when === 'for good' || table !== 'pass_device').map((table) => `${table} names an erased customer`),
    ...numbered.filter((table) => !keptNumbers.includes(table)).map((table) => `${table} has the number of an erased customer`),
    ...steps
      .filter((step, index) => !step.startsWith('void passes') && steps.indexOf(step) < index)
      .map((step) => `the erasure reports twice: ${step}`),
  ];
}
