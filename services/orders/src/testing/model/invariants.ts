import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from '../running.ts';
import { miscounted } from '../whole-store.ts';
import { leftOfErased } from './erasure.ts';
import { differencesFromProvider } from './provider-books.ts';
import { wrongReports } from './reports.ts';
import type { Shop } from './shop.ts';

const Row = z.object({
  id: z.string(),
  payment_intent_id: z.string().nullable(),
  payment_status: z.string(),
  business_status: z.string().nullable(),
  fulfilment_status: z.string().nullable(),
  total_pence: z.number(),
  refunded_pence: z.number(),
  disputed: z.boolean(),
  legs_pence: z.number(),
  charges: z.number(),
  charged: z.number(),
  refunded: z.number(),
  pending: z.number(),
  accepted: z.number(),
  held: z.number(),
  kept: z.number(),
  paid_events: z.number(),
  refunded_events: z.number(),
  refund_failed_events: z.number(),
  refunds_ever: z.number(),
  failures_ever: z.number(),
  expired_events: z.number(),
  ended_twice: z.boolean(),
  chain_broken: z.boolean(),
  out_of_order: z.boolean(),
  acceptedPayment: z.boolean(),
  slots_differ: z.boolean(),
  lines_differ: z.boolean(),
  cancelled_by: z.string().nullable(),
  uncollected: z.boolean(),
  waits_unwatched: z.boolean(),
});
type Row = z.output<typeof Row>;

const rowsOf = ({ service }: Running, storeId: string) =>
  service.database.any(sql.type(Row)`
    select o.id, o.payment_intent_id, o.payment_status, o.business_status, o.fulfilment_status, o.total_pence, o.refunded_pence, o.disputed, o.cancelled_by, o.uncollected_at is not null as uncollected,
      exists (select 1 from orders f where (f.id = o.id or f.parent_order_id = o.id) and f.is_live and f.look_at is null) as waits_unwatched,
      o.is_first is not null as "acceptedPayment",
      coalesce((select sum(l.total_pence)::int from orders l where l.parent_order_id = o.id), 0) as legs_pence,
      (select count(*)::int from ledger g where g.order_id = o.id and g.kind = 'charge') as charges,
      coalesce((select sum(amount_pence)::int from ledger g where g.order_id = o.id and g.kind = 'charge'), 0) as charged,
      coalesce((select -sum(amount_pence)::int from ledger g where g.order_id = o.id and g.kind in ('refund', 'refund_failed')), 0) as refunded,
      (select count(*)::int from refund r where r.payment_order_id = o.id and r.status in ('pending', 'requires_action')) as pending,
      coalesce((select sum(r.amount_pence)::int from refund r where r.payment_order_id = o.id and r.counted), 0) as accepted,
      (select count(*)::int from hold h join orders f on f.id = h.order_id where (f.id = o.id or f.parent_order_id = o.id) and h.state = 'held') as held,
      (select count(*)::int from hold h join orders f on f.id = h.order_id where (f.id = o.id or f.parent_order_id = o.id) and h.state <> 'released') as kept,
      (select count(*)::int from outbox e where e.aggregate_id = o.id::text and e.type = 'order.paid') as paid_events,
      (select count(*)::int from outbox e where e.aggregate_id = o.id::text and e.type = 'order.refunded') as refunded_events,
      (select count(*)::int from outbox e where e.aggregate_id = o.id::text and e.type = 'order.refund_failed' and (e.data ->> 'was_accepted')::boolean) as refund_failed_events,
      (select count(*)::int from ledger g where g.order_id = o.id and g.kind = 'refund') as refunds_ever,
      (select count(*)::int from ledger g where g.order_id = o.id and g.kind = 'refund_failed') as failures_ever,
      (select count(*)::int from outbox e where e.aggregate_id = o.id::text and e.type = 'order.expired') as expired_events,
      exists (select 1 from outbox e join orders f on e.aggregate_id = f.id::text where (f.id = o.id or f.parent_order_id = o.id)
        group by e.aggregate_id, e.type having e.type in ('order.expired', 'order.cancelled') and count(*) > 1) as ended_twice,
      exists (select 1 from (
        select e.data, lag(e.data ->> 'to') over own as before, lead(e.id) over own is null as is_last, f.fulfilment_status
        from outbox e join orders f on e.aggregate_id = f.id::text
        where (f.id = o.id or f.parent_order_id = o.id) and e.type = 'order.fulfilment_changed'
        window own as (partition by e.aggregate_id order by e.aggregate_sequence)
      ) event where event.data ->> 'from' is distinct from event.before or (event.is_last and event.data ->> 'to' is distinct from event.fulfilment_status)) as chain_broken,
      exists (select 1 from (
        select e.aggregate_sequence as sequence, lag(e.aggregate_sequence) over (partition by e.aggregate_id order by e.id) as before, f.version
        from outbox e join orders f on e.aggregate_id = f.id::text where f.id = o.id or f.parent_order_id = o.id
      ) event where event.sequence < event.before or event.sequence > event.version) as out_of_order,
      exists (select 1 from orders f join hold h on h.order_id = f.id and h.kind = 'slot' and h.state <> 'released'
        where (f.id = o.id or f.parent_order_id = o.id) and f.slot_id::text is distinct from h.ref) as slots_differ,
      exists (select 1 from orders f join order_line l on l.order_id = f.id
        where (f.id = o.id or f.parent_order_id = o.id) and l.refunded <> (
          select least(l.quantity, coalesce(sum(n.quantity), 0)) from refund_line n join refund r on r.id = n.refund_id
          where n.order_id = l.order_id and n.position = l.position and r.status not in ('rejected', 'failed', 'canceled'))) as lines_differ
    from orders o where o.store_id = ${storeId} and o.parent_order_id is null order by o.created_at`);

const always: Readonly<Record<string, (row: Row) => boolean>> = {
  'a paid order has one charge, and an unpaid one none': (o) =>
    o.charges === (o.payment_status === 'paid' ? 1 : 0) && (o.charges === 0 || o.charged === o.total_pence),
  'the refunded sum equals the ledger and the counted refunds': (o) => o.refunded_pence === o.refunded && o.refunded === o.accepted,
  'no more is refunded than was paid': (o) => o.refunded_pence >= 0 && o.refunded_pence <= o.charged,
  'the totals of the legs do not exceed the order’s': (o) => o.legs_pence <= o.total_pence,
  'only an unpaid order has held holds, and an ended unpaid one has none': (o) =>
    (o.held === 0 || ['pending_payment', 'payment_failed'].includes(o.payment_status)) &&
    (o.kept === 0 || !['expired', 'cancelled'].includes(o.payment_status)),
  'an accepted payment publishes order.paid once, any other never': (o) =>
    o.paid_events === (o.payment_status === 'paid' && o.acceptedPayment ? 1 : 0),
  'each accepted refund is published once, and so is its failure': (o) =>
    o.refunded_events === o.refunds_ever && o.refund_failed_events === o.failures_ever,
  'an expired order publishes order.expired once, and no order ends twice': (o) =>
    o.expired_events === (o.payment_status === 'expired' ? 1 : 0) && !o.ended_twice,
  'each change of fulfilment is published, starting from where the last one ended': (o) => !o.chain_broken,
  'sequences grow in the order of publication': (o) => !o.out_of_order,
  'the business and the fulfilment status agree': (o) =>
    o.payment_status !== 'paid' ||
    ((o.business_status === 'cancelled') === (o.fulfilment_status === 'cancelled') &&
      (o.business_status !== 'fulfilled' || o.fulfilment_status === 'collected' || o.uncollected)),
  'a job looks again at each live order': (o) => !o.waits_unwatched,
  'an order holds a place in the slot it shows': (o) => !o.slots_differ,
  'each line has the units that its refunds have': (o) => !o.lines_differ,
};

export async function wrongNow(running: Running, shop: Shop): Promise<string[]> {
  const rows = await rowsOf(running, shop.store.id);
  const wrong = rows.flatMap((row) =>
    Object.entries(always).flatMap(([rule, holds]) => (holds(row) ? [] : [`${rule}: ${JSON.stringify(row)}`])),
  );
  for (const count of await miscounted(running)) wrong.push(`a count differs from its holds: ${JSON.stringify(count)}`);
  for (const known of shop.orders.filter(({ request }) => request)) {
    const row = rows.find(({ id }) => id === known.id);
    if (!row) wrong.push(`an order that a response named does not exist: ${known.id}`);
    else {
      if (known.paid && row.payment_status !== 'paid') wrong.push(`an order that a response called paid is not: ${JSON.stringify(row)}`);
      if (known.ended === 'cancelled' && row.business_status !== 'cancelled')
        wrong.push(`an order that a response called cancelled is not: ${JSON.stringify(row)}`);
    }
  }
  return [...wrong, ...(await leftOfErased(shop, false)), ...(await shop.vouchers.follow()), ...shop.wrong];
}

/** Lists everything wrong once nothing is running, including open orders and differences from the provider's books. */
export async function wrongAtRest(running: Running, shop: Shop): Promise<string[]> {
  const wrong = await wrongNow(running, shop);
  for (const id of shop.vouchers.reserved()) wrong.push(`a voucher stays reserved, though no order awaits its payment: ${id}`);
  const { disputes } = running.payments.books();
  for (const row of await rowsOf(running, shop.store.id)) {
    const status = disputes.find(({ payment_intent }) => payment_intent === row.payment_intent_id)?.status ?? '';
    const isOpen = ['needs_response', 'under_review'].includes(status);
    // The provider refunds no disputed payment, so an owed refund waits for the bank.
    const isUnmade = row.pending > 0 && !isOpen;
    const stuck = isUnmade || row.held > 0 || !['paid', 'expired', 'cancelled'].includes(row.payment_status);
    if (stuck) wrong.push(`an order is stuck: ${JSON.stringify(row)}`);
    // An order whose dispute is lost stays disputed: it can never be refunded.
    if (row.disputed !== (isOpen || status === 'lost')) wrong.push(`the bank’s dispute is '${status}': ${JSON.stringify(row)}`);
    const isPromised = row.cancelled_by === 'customer' && row.legs_pence === 0;
    const isOwed = row.payment_status === 'paid' && (!row.acceptedPayment || isPromised) && row.refunded_pence !== row.charged;
    // A bank may return the refund, and a disputed payment cannot be refunded.
    if (isOwed && row.failures_ever === 0 && status === '')
      wrong.push(`a payment that was not accepted, or whose customer cancelled, is not refunded: ${JSON.stringify(row)}`);
  }
  return [
    ...wrong,
    ...(await leftOfErased(shop, true)),
    ...(await differencesFromProvider(running, shop.store.id)),
    ...(await wrongReports(running, shop.store)),
  ];
}
