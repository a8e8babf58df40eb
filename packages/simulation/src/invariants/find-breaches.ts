import { producersFor, requiredServices } from '@corner/contracts';
import pg from 'pg';
import { z } from 'zod';
import { type Breach, breaches } from './breach.ts';
import { numbersAgree } from './event-numbers.ts';
import type { History } from './history.ts';

export const Books = z.object({
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
  applicationFees: z.array(z.object({ amount: z.number() })),
  feeRefunds: z.array(z.object({ amount: z.number() })),
});
export type Books = z.output<typeof Books>;

/**
 * Compares the responses that clients received, the rows in the services' schemas and the payment provider's books, once no work is under
 * way. Returns every breach; an empty list means that nothing was lost, done twice or stuck. Without books, payments are not compared.
 */
export async function findBreaches(databaseUrl: string, books: Books | null, history: History): Promise<Breach[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return [
      ...(await acceptedOrdersExist(client, history)),
      ...(books ? await moneyAgrees(client, books) : []),
      ...(await holdsAgree(client)),
      ...(await vouchersAgree(client)),
      ...(await eventsProcessed(client)),
      ...(await numbersAgree(client)),
      ...(await nothingTwice(client)),
      ...(await nothingStuck(client)),
    ];
  } finally {
    await client.end();
  }
}

async function acceptedOrdersExist(client: pg.Client, history: History): Promise<Breach[]> {
  const accepted = history.calls.filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok');
  const byKey = Map.groupBy(accepted, ({ key }) => key);
  const twice = [...byKey].filter(
    ([, calls]) => new Set(calls.map(({ response }) => (response as { order_id: string }).order_id)).size > 1,
  );
  const ids = accepted.map(({ response }) => (response as { order_id: string }).order_id);
  const { rows } = await client.query(
    `select a.id from unnest($1::uuid[]) a(id) where not exists (select 1 from orders.orders o where o.id = a.id)`,
    [ids],
  );
  return [
    ...breaches('lost', 'an accepted order exists', rows),
    ...breaches(
      'doubled',
      'an idempotency key has one order',
      twice.map(([key]) => key),
    ),
  ];
}

/** Leaves out tills' takings and refunds. */
async function moneyAgrees(client: pg.Client, books: Books): Promise<Breach[]> {
  const { rows } = await client.query<{ id: string; payment_intent_id: string | null; charged: number; refunded: number }>(
    `select o.id, o.payment_intent_id,
       coalesce(sum(l.amount_pence) filter (where l.kind = 'charge'), 0)::int as charged,
       coalesce(-sum(l.amount_pence) filter (where l.kind in ('refund', 'refund_failed')), 0)::int as refunded
     from orders.orders o
     left join orders.ledger l on l.order_id = o.id and l.provider_ref not like 'till:%' and l.provider_ref not like 'rf\\_%'
     where o.parent_order_id is null
     group by o.id`,
  );
  const found: Breach[] = [];
  for (const order of rows) {
    const intents = books.intents.filter(({ metadata }) => metadata.order_id === order.id);
    if (intents.length > 1) found.push(...breaches('doubled', 'an order has one payment intent', [order.id]));
    const charged = intents.reduce((sum, intent) => sum + intent.amount_received, 0);
    const refunded = books.refunds
      .filter(({ payment_intent, status }) => payment_intent === intents[0]?.id && status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + amount, 0);
    if (charged !== order.charged || refunded !== order.refunded) {
      const row = { order: order.id, ledger: [order.charged, order.refunded], provider: [charged, refunded] };
      found.push(...breaches('wrong', 'the ledger agrees with the provider', [row]));
    }
  }
  return found;
}

async function holdsAgree(client: pg.Client): Promise<Breach[]> {
  const { rows } = await client.query(
    `with held as (select h.kind, o.store_id, h.ref, sum(h.quantity)::int as quantity
       from orders.hold h join orders.orders o on o.id = h.order_id where h.state <> 'released' group by 1, 2, 3),
     counted as (
       select 'slot' as kind, store_id, id::text as ref, used, capacity + over_capacity as most from orders.slot
       union all select 'stock', store_id, id, taken, stock from orders.menu_item
       union all select 'promo', store_id, id::text, uses, max_uses + over_limit from orders.promo)
     select c.kind, c.ref, c.used, c.most, coalesce(h.quantity, 0) as held from counted c left join held h using (kind, store_id, ref)
     where c.used <> coalesce(h.quantity, 0) or c.used > c.most`,
  );
  return breaches('wrong', 'counters of slots, stock and promo codes equal the holds of orders', rows);
}

async function vouchersAgree(client: pg.Client): Promise<Breach[]> {
  const { rows } = await client.query(
    `select o.id, o.voucher_id, o.payment_status, v.status, v.redeemed_by_order
     from orders.orders o join loyalty.voucher v on v.id = o.voucher_id
     where o.payment_status = 'paid' and not o.fully_refunded and (v.status <> 'redeemed' or v.redeemed_by_order is distinct from o.id)
        or o.payment_status in ('expired', 'cancelled') and v.reserved_by_order = o.id and v.status = 'reserved'
        or o.fully_refunded and v.status = 'redeemed' and v.redeemed_by_order = o.id`,
  );
  return breaches('wrong', 'the status of a voucher agrees with its order', rows);
}

async function eventsProcessed(client: pg.Client): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const consumer of requiredServices) {
    for (const producer of requiredServices.filter((service) => producersFor(consumer).includes(service))) {
      const { rows } = await client.query(
        `select o.event_id, o.type from ${producer}.outbox o left join ${consumer}.inbox i on i.event_id = o.event_id where i.event_id is null`,
      );
      found.push(...breaches('lost', `${consumer} has processed every event of ${producer}`, rows));
    }
    const { rows: missing } = await client.query(
      `select producer, missing, missing_since from ${consumer}.consumer_position where missing > 0`,
    );
    const { rows: lost } = await client.query(`select producer, first_number, last_number from ${consumer}.lost_range`);
    found.push(...breaches('lost', `no event is missing at ${consumer}`, [...missing, ...lost]));
  }
  return found;
}

async function nothingTwice(client: pg.Client): Promise<Breach[]> {
  const twice = await client.query(
    `select type, data->>'order_id' as order_id, count(*) from orders.outbox where type = 'order.paid' group by 1, 2 having count(*) > 1`,
  );
  const stamps = await client.query(
    `select order_id, count(*) from loyalty.stamp where source = 'order' group by order_id, ordinal having count(*) > 1`,
  );
  return [...breaches('doubled', 'an order is paid once', twice.rows), ...breaches('doubled', 'an order earns once', stamps.rows)];
}

async function nothingStuck(client: pg.Client): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const service of requiredServices) {
    const deadLetters = await client.query(`select type, error from ${service}.dead_letter where settled_at is null`);
    found.push(...breaches('wrong', `${service} has no dead letters`, deadLetters.rows));
    const batches = await client.query(`select first_number, size from ${service}.relay_batch where acked_at is null`);
    found.push(...breaches('lost', `the broker has acknowledged every relay batch of ${service}`, batches.rows));
  }
  return found;
}
