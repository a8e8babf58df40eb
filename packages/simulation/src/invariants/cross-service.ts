import type pg from 'pg';
import { type Breach, breaches } from './breach.ts';

export async function findCrossServiceBreaches(client: pg.Client, erased: readonly string[]): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const [invariant, text] of Object.entries(agreements)) {
    const { rows } = await client.query(`with ${ordersSql} ${text}`, [erased]);
    found.push(...breaches('wrong', invariant, rows));
  }
  return [...found, ...(await cardsAgree(client)), ...(await erasuresAreDone(client, erased))];
}

/**
 * Orders of customers who are not erased. Facts for the comparisons: whether the money is gone, by full refunds or a lost dispute; whether
 * it came back, by a failed refund or a won dispute; whether a bank has yet to decide.
 */
const ordersSql = `
  own as (
    select o.id, o.customer_id, o.without_customer, o.payment_status, o.voucher_id, o.total_pence, o.refunded_pence, o.fully_refunded,
      o.payment_status = 'paid' and o.accepted_at is not null as is_paid,
      o.fully_refunded or exists (select from orders.dispute d where d.order_id = o.id and d.state = 'lost') as is_gone,
      exists (select from orders.dispute d where d.order_id = o.id and d.state = 'opened') as is_disputed,
      exists (select from orders.ledger g where g.order_id = o.id and g.kind = 'refund_failed')
        or exists (select from orders.dispute d where d.order_id = o.id and d.state = 'won') as came_back
    from orders.orders o where o.parent_order_id is null and o.customer_id <> all($1::uuid[])
  )`;

const agreements: Readonly<Record<string, string>> = {
  // Partly refunded orders are left out, since the rest may earn a stamp or not.
  'an order has its stamp while its money is there': `
    select own.id, is_paid, is_gone, refunded_pence, array_agg(s.status) as stamps from own left join loyalty.stamp s on s.order_id = own.id
    where total_pence > 0 and not without_customer group by own.id, is_paid, is_gone, is_disputed, refunded_pence, total_pence
    having count(*) filter (where s.status = 'approved') <> case when is_paid and not is_gone then 1 else 0 end
      and (not is_paid or is_gone or refunded_pence = 0 and not is_disputed)`,
  'loyalty knows what was paid and refunded of each order': `
    select own.id, is_paid, is_gone, own.refunded_pence, l.paid, l.paid_pence, l.refunded_pence as known, l.lost, l.disputed
    from own left join loyalty.order_ledger l on l.order_id = own.id
    where not without_customer and (is_paid <> coalesce(l.paid, false)
      or is_paid and (l.paid_pence <> own.total_pence or l.refunded_pence <> own.refunded_pence or l.disputed <> is_disputed
        or l.lost <> exists (select from orders.dispute d where d.order_id = own.id and d.state = 'lost')))`,
  'a voucher is redeemed by the order that it paid for, and given back with its money': `
    select own.id, is_paid, is_gone, v.id as voucher, v.status, v.redeemed_by_order from own join loyalty.voucher v on v.id = own.voucher_id
    where is_paid and not is_gone and not came_back and v.redeemed_by_order is distinct from own.id
      or (is_gone or not is_paid and payment_status <> 'pending_payment') and v.redeemed_by_order = own.id`,
  'a voucher pays for one order at a time': `
    select voucher_id, count(*) from own where voucher_id is not null and is_paid and not is_gone and not came_back group by 1 having count(*) > 1`,
  'only an order that awaits its payment reserves a voucher': `
    select v.id, v.reserved_by_order, own.payment_status from loyalty.voucher v left join own on own.id = v.reserved_by_order
    where v.status = 'reserved' and v.customer_id <> all($1::uuid[]) and own.payment_status not in ('pending_payment', 'payment_failed')`,
  'a voucher has the stamps that it cost, until it is voided': `
    select v.id, v.status, count(s.id) as stamps, p.goal from loyalty.voucher v join loyalty.programme p using (store_id)
      left join loyalty.stamp s on s.voucher_id = v.id
    where v.customer_id <> all($1::uuid[]) group by v.id, v.status, p.goal
    having count(s.id) <> case when v.status = 'voided' then 0 else p.goal end`,
  'each stamp that left a debt is owed or paid': `
    select c.customer_id, c.debt, count(*) filter (where s.left_debt) as leaving, count(*) filter (where s.paid_debt) as paying
    from loyalty.card c left join loyalty.stamp s using (store_id, customer_id) where c.customer_id <> all($1::uuid[])
    group by c.customer_id, c.debt having count(*) filter (where s.left_debt) <> c.debt + count(*) filter (where s.paid_debt)`,
  'the last event of a stamp says what it is': `
    select s.id, s.status, e.type from loyalty.stamp s left join lateral (
      select type from loyalty.outbox o where o.data->>'stamp_id' = s.id::text and o.type like 'stamp.%' order by aggregate_sequence desc limit 1) e on true
    where s.customer_id <> all($1::uuid[]) and 'stamp.' || s.status is distinct from e.type and not (s.status = 'reversed' and e.type is null)`,
  'the last event of a voucher says what it is': `
    select v.id, v.status, e.type from loyalty.voucher v left join lateral (
      select type from loyalty.outbox o where o.data->>'voucher_id' = v.id::text and o.type like 'voucher.%' order by aggregate_sequence desc limit 1) e on true
    where v.customer_id <> all($1::uuid[]) and v.status <> all(case e.type
      when 'voucher.minted' then array['active', 'reserved'] when 'voucher.restored' then array['active', 'reserved']
      else array[substr(coalesce(e.type, ''), 9)] end)`,
  'an appointment has its chair alone': `
    select s.id, o.appointment_id from queue.session s join queue.seat o on o.unit_id = s.unit_id and o.freed_at is null
      and tstzrange(o.starts_at, o.ends_at) && tstzrange(s.starts_at, s.free_at) where s.state = 'open'`,
  'the last event of a booking says what it is': `
    select b.id, b.status, e.type, e.data->>'status' as said from queue.session_booking b left join lateral (
      select type, data from queue.outbox o where o.aggregate_id = b.id::text and o.type ~ '^(booking|waitlist)[.]' order by aggregate_sequence desc limit 1) e on true
    where case e.type when 'waitlist.left' then 'cancelled' when 'waitlist.joined' then 'waiting' when 'waitlist.offered' then 'waiting'
      else e.data->>'status' end is distinct from b.status and (b.customer_id is null or b.customer_id <> all($1::uuid[]))`,
  'a class has as many places taken as are booked or kept': `
    select s.id, s.places, s.taken from queue.session s left join queue.session_booking b on b.session_id = s.id where s.places > 1 group by s.id
    having s.taken > s.places or s.taken <> coalesce(sum(b.party_size) filter (
      where b.status in ('requested', 'booked', 'arrived', 'done') or b.offer_until is not null), 0)`,
  'a place is offered to the first in line, and once': `
    select b.id, b.line_number from queue.outbox e join queue.session_booking b on b.id::text = e.aggregate_id
    where e.type = 'waitlist.offered' and (
      exists (select from queue.outbox o where o.aggregate_id = e.aggregate_id and o.type = e.type and o.id < e.id)
      or exists (select from queue.session_booking w where w.session_id = b.session_id and w.line_number < b.line_number and not exists (
        select from queue.outbox o where o.aggregate_id = w.id::text and o.type in ('waitlist.offered', 'waitlist.left') and o.id < e.id)))`,
  // At rest every class has begun.
  'the line of a class ends when it begins': `select id from queue.session_booking where status = 'waiting'`,
  'no message about a class is made for an erased customer': `
    select m.id, m.template from notifications.message m join notifications.erased_customer e on e.customer_id = m.customer_id
    where m.template like 'class.%' and m.due_at > e.erased_at`,
  'an order says that it is paid, refunded and ended as often as it is': `
    select own.id, own.payment_status, array_agg(e.type order by e.id) as events from own left join orders.outbox e on e.aggregate_id = own.id::text
    group by own.id, own.payment_status, is_paid
    having count(*) filter (where e.type = 'order.paid') <> is_paid::int
      or count(*) filter (where e.type = 'order.refunded') <> (select count(*) from orders.ledger g where g.order_id = own.id and g.kind = 'refund')
      or count(*) filter (where e.type = 'order.refund_failed' and (e.data->>'was_accepted')::boolean)
        <> (select count(*) from orders.ledger g where g.order_id = own.id and g.kind = 'refund_failed')
      or count(*) filter (where e.type = 'order.expired') <> (own.payment_status = 'expired')::int
      or count(*) filter (where e.type = 'order.cancelled') > 1`,
};

/** No card has enough stamps for an unminted voucher, or a debt beside stamps that could pay it. */
async function cardsAgree(client: pg.Client): Promise<Breach[]> {
  const { rows } = await client.query(
    `select c.customer_id, c.debt, count(s.id)::int as free, p.goal
     from loyalty.card c join loyalty.programme p using (store_id)
       left join loyalty.stamp s on s.store_id = c.store_id and s.customer_id = c.customer_id
         and s.status = 'approved' and s.voucher_id is null and not s.paid_debt
     group by c.customer_id, c.debt, p.goal having count(s.id) - c.debt >= p.goal or (c.debt > 0 and count(s.id) > 0)`,
  );
  return breaches('wrong', 'a card has fewer unused stamps than a voucher needs', rows);
}

async function erasuresAreDone(client: pg.Client, erased: readonly string[]): Promise<Breach[]> {
  const names = { 'orders.contact': 'customer_id', 'loyalty.customer': 'id', 'queue.customer': 'id', 'notifications.customer': 'id' };
  const { rows } = await client.query(
    Object.entries(names)
      .map(([table, id]) => `select '${table}' as at, ${id} from ${table} where ${id} = any($1::uuid[]) and name is not null`)
      .join(' union all '),
    [erased],
  );
  const { rows: open } = await client.query(
    'select customer_id, reports from directory.erasure where begun_at is not null and finished_at is null and customer_id = any($1::uuid[])',
    [erased],
  );
  const { rows: left } = await client.query(
    `select id, has_ended, business_status from orders.orders
     where customer_id = any($1::uuid[]) and num_nonnulls(table_number, device_hash, address_hash, request_fingerprint) > 0`,
    [erased],
  );
  return [
    ...breaches('wrong', 'no service has the name of an erased customer', rows),
    ...breaches('wrong', 'no order has the marks of an erased customer', left),
    ...breaches('lost', 'an erasure ends', open),
  ];
}

/**
 * Returns reminders that wait for an ended or moved booking although notifications has processed the booking's last event, unless a newer
 * event on the topic prevents sending. Call it before reminders are due.
 */
export async function remindersAgree(client: pg.Client): Promise<Breach[]> {
  const { rows } = await client.query(
    `select b.id, b.status, s.starts_at, m.data from notifications.message m
     join queue.session_booking b on m.topic in ('booking:' || b.id || ':day', 'booking:' || b.id || ':hours')
     join queue.session s on s.id = b.session_id
     join notifications.topic t on t.key = m.topic
     where m.state = 'pending' and m.sequence >= t.newest_sequence
       and (select event_id from queue.outbox o where o.aggregate_id = b.id::text and o.type like 'booking.%' order by aggregate_sequence desc limit 1)
         in (select event_id from notifications.inbox)
       and (b.status <> 'booked' or (m.data->>'starts_at')::timestamptz <> s.starts_at)`,
  );
  return breaches('wrong', 'a booking is reminded of at its time, and not once it has ended', rows);
}
