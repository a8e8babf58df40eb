import { setTimeout as pause } from 'node:timers/promises';
import { requiredServices } from '@corner/contracts';
import type { BenchSystem } from './bench-system.ts';

/** Waits until no service has anything left to do: webhooks, events, messages. Throws after `withinMs`, or at a dead letter. */
export async function untilSettled(bench: BenchSystem, withinMs = 180_000): Promise<void> {
  const { paymentsUrl } = bench.system;
  if (paymentsUrl) await fetch(`${paymentsUrl}/_sim/settled`, { method: 'POST', body: '{}' });
  const until = performance.now() + withinMs;
  // Idle twice in a row with nothing published in between: an event consumed in between may have caused another one.
  for (let before: number | null = null; ; await pause(50)) {
    const left = await workLeft(bench);
    const { published, unconsumed } = left.length === 0 ? await lookAtStreams(bench) : { published: 0, unconsumed: 0 };
    const idle = left.length === 0 && unconsumed === 0;
    if (idle && before === published) return;
    before = idle ? published : null;
    if (performance.now() > until) throw new Error(`not settled after ${withinMs} ms: ${left.join(', ') || `${unconsumed} events`}`);
  }
}

async function workLeft({ database }: BenchSystem): Promise<string[]> {
  const { rows } = await database.query<{ what: string }>({ name: 'work-left', text: workLeftQuery });
  const dead = rows.filter(({ what }) => what.includes('dead letter'));
  if (dead.length > 0) throw new Error(dead.map(({ what }) => what).join(', '));
  return rows.map(({ what }) => what);
}

/** The outbox's primary key begins with the transaction, so it finds the rows that the relay may not have read yet. */
const workLeftOf = (service: string): string[] => [
  `select '${service}: an open dead letter' as what where exists (select 1 from ${service}.dead_letter where settled_at is null)`,
  `select '${service}: an unpublished event' where exists (select 1 from ${service}.relay_batch where acked_at is null)
     or exists (select 1 from ${service}.outbox o, ${service}.relay_state s
       where o.transaction_id >= pg_snapshot_xmin(s.snapshot) and not pg_visible_in_snapshot(o.transaction_id, s.snapshot))`,
];

const workLeftQuery = [
  ...requiredServices.flatMap(workLeftOf),
  `select 'orders: an unprocessed webhook' where exists (select 1 from orders.provider_event where processed_at is null)`,
  `select 'notifications: a pending message' where exists (select 1 from notifications.message where state = 'pending')`,
  `select 'notifications: a pass update' where exists (select 1 from notifications.pass_update where failed_at is null)`,
].join('\nunion all ');

async function lookAtStreams({ streams, system }: BenchSystem): Promise<{ published: number; unconsumed: number }> {
  const running = new Set(Object.values(system.services).map(({ name }) => name as string));
  let [published, unconsumed] = [0, 0];
  for await (const { config, state } of streams.streams.list()) {
    published += state.last_seq;
    for await (const { name, num_pending, num_ack_pending } of streams.consumers.list(config.name))
      if (running.has(name)) unconsumed += num_pending + num_ack_pending;
  }
  return { published, unconsumed };
}
