import { services } from '@corner/contracts';
import type { RunningSystem } from '@corner/sandbox';
import pg from 'pg';
import { z } from 'zod';
import type { History } from './history.ts';

/** One thing that must hold and does not. */
export interface Breach {
  readonly invariant: string;
  readonly detail: string;
}

/** The simulator's books, as far as they are compared. */
const Books = z.object({
  intents: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      amount: z.number(),
      amount_received: z.number(),
      metadata: z.record(z.string(), z.string()),
    }),
  ),
  refunds: z.array(z.object({ id: z.string(), status: z.string(), amount: z.number(), payment_intent: z.string() })),
});
export type Books = z.output<typeof Books>;

export const readBooks = async (system: RunningSystem): Promise<Books> =>
  Books.parse(await (await fetch(`${system.paymentsUrl}/_sim/books`)).json());

/**
 * Compares what clients were answered, what stands in the schemas, and what the payment provider has in its books, after
 * everything has come to rest. Answers every breach; none means nothing was lost, nothing done twice, nothing is stuck.
 */
export async function check(system: RunningSystem, history: History): Promise<Breach[]> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    const books = await readBooks(system);
    return [
      ...(await ordersAnsweredExist(client, history)),
      ...(await moneyAgrees(client, books)),
      ...(await whatIsHeldAgrees(client)),
      ...(await vouchersAgree(client)),
      ...(await eventsArrived(client)),
      ...(await nothingTwice(client)),
      ...(await nothingStuck(client)),
    ];
  } finally {
    await client.end();
  }
}

const breach = (invariant: string, rows: readonly unknown[]): Breach[] => rows.map((row) => ({ invariant, detail: JSON.stringify(row) }));

/** Every order a client was answered exists, once for each key. */
async function ordersAnsweredExist(client: pg.Client, history: History): Promise<Breach[]> {
  const answered = history.calls.filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok');
  const byKey = Map.groupBy(answered, ({ key }) => key);
  const twice = [...byKey].filter(([, calls]) => new Set(calls.map(({ answer }) => (answer as { order_id: string }).order_id)).size > 1);
  const ids = answered.map(({ answer }) => (answer as { order_id: string }).order_id);
  const { rows } = await client.query(
    `select a.id from unnest($1::uuid[]) a(id) where not exists (select 1 from orders.orders o where o.id = a.id)`,
    [ids],
  );
  return [
    ...breach('an order that was answered exists', rows),
    ...breach(
      'one key has one order',
      twice.map(([key]) => key),
    ),
  ];
}

/** Charged, refunded and the ledger say the same, order by order. */
async function moneyAgrees(client: pg.Client, books: Books): Promise<Breach[]> {
  const { rows } = await client.query<{ id: string; payment_intent_id: string | null; charged: number; refunded: number }>(
    `select o.id, o.payment_intent_id,
       coalesce(sum(l.amount_pence) filter (where l.kind = 'charge'), 0)::int as charged,
       coalesce(-sum(l.amount_pence) filter (where l.kind = 'refund'), 0)::int as refunded
     from orders.orders o left join orders.ledger l on l.order_id = o.id
     where o.parent_order_id is null
     group by o.id`,
  );
  const breaches: Breach[] = [];
  for (const order of rows) {
    const intents = books.intents.filter(({ metadata }) => metadata.order_id === order.id);
    if (intents.length > 1) breaches.push({ invariant: 'an order has one payment intent', detail: order.id });
    const charged = intents.reduce((sum, intent) => sum + intent.amount_received, 0);
    const refunded = books.refunds
      .filter(({ payment_intent, status }) => payment_intent === intents[0]?.id && status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + amount, 0);
    if (charged !== order.charged || refunded !== order.refunded) {
      breaches.push({
        invariant: 'our ledger agrees with the provider',
        detail: JSON.stringify({ order: order.id, ours: [order.charged, order.refunded], theirs: [charged, refunded] }),
      });
    }
  }
  return breaches;
}

/** Places, units and uses that are counted are those of holds that stand, and no more than there are. */
async function whatIsHeldAgrees(client: pg.Client): Promise<Breach[]> {
  const { rows } = await client.query(
    `with held as (select h.kind, o.store_id, h.ref, sum(h.quantity)::int as quantity
       from orders.hold h join orders.orders o on o.id = h.order_id where h.state <> 'released' group by 1, 2, 3),
     counted as (
       select 'slot' as kind, store_id, id::text as ref, used, capacity + beyond as most from orders.slot
       union all select 'stock', store_id, id, taken, stock from orders.menu_item
       union all select 'promo', store_id, id::text, uses, max_uses + beyond from orders.promo)
     select c.kind, c.ref, c.used, c.most, coalesce(h.quantity, 0) as held from counted c left join held h using (kind, store_id, ref)
     where c.used <> coalesce(h.quantity, 0) or c.used > c.most`,
  );
  return breach('what is counted as taken is held by orders', rows);
}

/** A paid order has used its voucher, and a voucher has been used by one order at most. */
async function vouchersAgree(client: pg.Client): Promise<Breach[]> {
  const { rows } = await client.query(
    `select o.id, o.voucher_id, o.payment_status, v.status, v.redeemed_by_order
     from orders.orders o join loyalty.voucher v on v.id = o.voucher_id
     where o.payment_status = 'paid' and not o.fully_refunded and (v.status <> 'redeemed' or v.redeemed_by_order is distinct from o.id)
        or o.payment_status in ('expired', 'cancelled') and v.reserved_by = o.id and v.status = 'reserved'
        or o.fully_refunded and v.status = 'redeemed' and v.redeemed_by_order = o.id`,
  );
  return breach('vouchers are where their orders left them', rows);
}

/** Who listens to whom: every event of the teller is in the listener's inbox. */
const listening = [
  ['orders', 'loyalty'],
  ['orders', 'notifications'],
] as const;

async function eventsArrived(client: pg.Client): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const [producer, listener] of listening) {
    const { rows } = await client.query(
      `select o.event_id, o.type from ${producer}.outbox o left join ${listener}.inbox i on i.event_id = o.event_id where i.event_id is null`,
    );
    breaches.push(...breach(`what ${producer} told has been heard by ${listener}`, rows));
  }
  return breaches;
}

/** An order is paid once; one award and one reversal for each order. */
async function nothingTwice(client: pg.Client): Promise<Breach[]> {
  const twice = await client.query(
    `select type, data->>'order_id' as order_id, count(*) from orders.outbox where type = 'order.paid' group by 1, 2 having count(*) > 1`,
  );
  const stamps = await client.query(
    `select order_id, count(*) from loyalty.stamp where source = 'order' group by order_id, n having count(*) > 1`,
  );
  return [...breach('an order is paid once', twice.rows), ...breach('an order earns once', stamps.rows)];
}

/** No dead letter, no tick unacknowledged, no order waiting for a payment that was made. */
async function nothingStuck(client: pg.Client): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const service of services) {
    const deadLetters = await client.query(`select type, error from ${service}.dead_letter where settled_at is null`);
    breaches.push(...breach(`${service} has no dead letters`, deadLetters.rows));
    const batches = await client.query(`select first_sequence, size from ${service}.relay_batch where acked_at is null`);
    breaches.push(...breach(`${service} has published all it told`, batches.rows));
  }
  return breaches;
}

/** Checks until nothing is amiss or the time is over, since effects may still be on their way. Answers the last breaches. */
export async function checkAtRest(system: RunningSystem, history: History, withinMs = 15_000): Promise<Breach[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const breaches = await check(system, history);
    if (breaches.length === 0 || performance.now() > until) return breaches;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
