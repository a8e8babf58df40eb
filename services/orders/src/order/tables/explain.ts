import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { currencies } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

/** An order number or a collection code can exist in several stores, and a code again on another day. */
const mostOrders = 20;

const Found = z.object({ id: z.string(), family: z.string() });
const Fact = z.object({
  at: z.string(),
  sentence: z.string(),
  of: z.string(),
  voucher_id: z.string().nullable(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
});

const whom = sql.fragment`o.store_id, o.customer_id`;

/**
 * Returns the stored facts about orders, found by order id or number, collection code, payment intent, refund id here or at the provider,
 * dispute, transfer, or idempotency key. People appear by role or id only; free text stays in the order's log, and codes are not returned.
 */
export async function explainOrders(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const { names, uuids } = lookedFor(ids);
  const found = await queries.any(sql.prepared('explain-find-orders', Found)`
    select o.id, coalesce(o.parent_order_id, o.id) as family from orders o
    where o.id = any(${uuids}) or o.payment_intent_id = any(${names}) or o.order_number = any(${names}) or o.collection_code = any(${names})
      or o.idempotency_key = any(${uuids})
      or o.id = any(array(select r.payment_order_id from refund r where r.id = any(${uuids}) or r.provider_refund_id = any(${names})))
      or o.id = any(array(
        select d.order_id from dispute d where d.id = any(${names}) or d.reversal_id = any(${names}) or d.repayment_id = any(${names})))
      or o.id = any(array(select g.order_id from ledger g where g.kind = any(${ledgerKinds}) and g.provider_ref = any(${names})))
    order by o.created_at desc limit ${mostOrders}`);
  if (found.length === 0) return { facts: [], also: [] };
  const families = sql.array([...new Set(found.map(({ family }) => family))], 'uuid');
  const facts = await queries.any(sql.prepared('explain-orders', Fact)`
    with o as (
      select x.*, 'Order ' || x.order_number as name from orders x
      where x.id = any(${families}) or x.parent_order_id = any(${families})
    ), fact (at, sentence, of, voucher_id) as (
      ${placedFacts} union all
      select t.*, null::uuid from (
        ${logFacts} union all ${ledgerFacts} union all ${refundFacts} union all ${disputeFacts} union all ${differenceFacts}
      ) t
    )
    select ${instantOf(sql.fragment`at`)} as at, sentence, of, fact.voucher_id, ${whom} from fact left join o on o.id = of order by at limit 500`);
  return {
    facts: facts.map(({ voucher_id, ...fact }) => fact),
    also: [...new Set(facts.flatMap(({ of, voucher_id }) => [of, ...(voucher_id ? [voucher_id] : [])]))],
  };
}

/**
 * Returns one fact for each of the newest orders of a customer, and for each live order and the newest ended ones of a store. Further
 * facts are found by an order's id.
 */
export async function explainOrdersOf(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const { uuids } = lookedFor(ids);
  const facts = await queries.any(sql.prepared('explain-orders-of', Fact)`
    with o as (
      select x.*, 'Order ' || x.order_number as name from unnest(${uuids}) as n(id) cross join lateral (
        (select * from orders c where c.customer_id = n.id and c.parent_order_id is null order by c.created_at desc, c.id desc limit ${mostOrders})
        union all
        (select * from orders l where l.store_id = n.id and l.is_live and not l.fully_refunded
          order by coalesce(l.first_collection_at, l.requested_collection_at, l.created_at), l.id limit ${mostOrders})
        union all
        (select * from orders e where e.store_id = n.id and (e.has_ended or e.fully_refunded) order by e.created_at desc, e.id desc limit ${mostOrders})
      ) x
    ), fact (at, sentence, of, voucher_id) as (${placedFacts})
    select ${instantOf(sql.fragment`at`)} as at, sentence, of, fact.voucher_id, ${whom} from fact left join o on o.id = of order by at`);
  return { facts: facts.map(({ voucher_id, ...fact }) => fact), also: [] };
}

const ledgerKinds = sql.array(
  ['charge', 'refund', 'refund_failed', 'dispute', 'dispute_returned', 'dispute_fee', 'transfer_reversal', 'transfer'],
  'text',
);

const lookedFor = (ids: readonly string[]) => ({
  names: sql.array([...ids], 'text'),
  uuids: sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  ),
});

const withDecimals = (decimals: number) =>
  sql.array(
    Object.keys(currencies).filter((code) => currencies[code]?.decimals === decimals),
    'text',
  );

const money = (minor: FragmentSqlToken) => sql.fragment`(case
    when o.currency = any(${withDecimals(0)}) then to_char(${minor}, 'FM9999999990')
    when o.currency = any(${withDecimals(3)}) then to_char(${minor} / 1000.0, 'FM9999990.000')
    else to_char(${minor} / 100.0, 'FM99999990.00') end || ' ' || o.currency)`;

const placedFacts = sql.fragment`
  select o.created_at, o.name || ' was placed by customer ' || o.customer_id || ' for ' || ${money(sql.fragment`o.total_pence`)}
    || case when o.promo_discount_pence > 0 then ', ' || ${money(sql.fragment`o.promo_discount_pence`)} || ' off by a promo code' else '' end
    || case when o.voucher_discount_pence > 0
      then ', ' || ${money(sql.fragment`o.voucher_discount_pence`)} || ' off by voucher ' || coalesce(o.voucher_id::text, '') else '' end
    || case when o.parent_order_id is null then '' else ', as a part of order ' || o.parent_order_id end
    || coalesce(', to be paid by ' || o.payment_intent_id, '') || '; it is now ' || o.payment_status || coalesce(' and ' || o.business_status, '')
    || coalesce(', with fulfilment ' || o.fulfilment_status, '') || '.', o.id, o.voucher_id
  from o`;

const ofThem = sql.fragment`array(select o.id from o)`;

const logFacts = sql.fragment`
  select l.at, o.name || ': ' || l.title || coalesce(', ' || ${money(sql.fragment`l.amount_pence`)}, '')
    || case when l.actor is null then '' else ', by a member of staff' end || '.', o.id
  from log_entry l join o on o.id = l.order_id where l.order_id = any(${ofThem})`;

const ledgerFacts = sql.fragment`
  select g.at, 'The provider moved ' || ${money(sql.fragment`abs(g.amount_pence)`)}
    || case g.kind when 'charge' then ' from the customer' when 'refund' then ' back to the customer'
      when 'refund_failed' then ' back from a refund that failed' when 'dispute' then ' back to the bank that disputes the payment'
      when 'dispute_returned' then ' back from the bank after the dispute' when 'dispute_fee' then case when g.amount_pence < 0 then ' to itself as the fee of a dispute'
      else ' back as the fee of a dispute' end when 'transfer_reversal' then ' from the store, as its share of a dispute' else ' to the store, as its share of a dispute that was won' end
    || ' (' || g.provider_ref || ').', o.id
  from ledger g join o on o.id = g.order_id where g.order_id = any(${ofThem})`;

const refundFacts = sql.fragment`
  select r.created_at, 'A refund of ' || ${money(sql.fragment`r.amount_pence`)} || ' was requested by ' || r.by_id || ' (refund ' || r.id
    || coalesce(', ' || r.provider_refund_id, '') || '); it is now ' || r.status
    || case r.borne_by when 'platform' then ', borne by the platform' else '' end || '.', o.id
  from refund r join o on o.id = r.order_id where r.payment_order_id = any(${ofThem})`;

const disputeFacts = sql.fragment`
  select d.first_seen_at, 'The bank of the customer disputed ' || ${money(sql.fragment`d.amount_pence`)} || ' (' || d.id || coalesce(', ' || d.reason, '')
    || '); the dispute is now ' || d.state || case when d.awaits_evidence then ' and awaits evidence' else '' end
    || ', borne by the ' || d.borne_by || '.', o.id
  from dispute d join o on o.id = d.order_id where d.order_id = any(${ofThem})`;

const differenceFacts = sql.fragment`
  select d.found_at, 'The ledger differs from the provider''s balance: ' || coalesce(${money(sql.fragment`d.provider_pence`)}, 'nothing')
    || ' at the provider and ' || coalesce(${money(sql.fragment`d.ledger_pence`)}, 'nothing') || ' here (' || d.kind || ', ' || d.provider_ref || ')'
    || case when d.explained_at is null then '; no event explains it' else '; it is explained now' end || '.', o.id
  from ledger_difference d join o on o.id = d.order_id where d.order_id = any(${ofThem})`;

const StoreFact = z.object({ at: z.string(), sentence: z.string(), of: z.string() });

/**
 * Returns the state of stores by their ids, store codes or accounts. A code or account only leads to the store's id, under which other
 * services have more facts, so the state is returned once.
 */
export async function explainStores(queries: Queries, ids: readonly string[], now: Date): Promise<Explained> {
  const names = sql.array([...ids], 'text');
  const codes = sql.array(
    ids.map((id) => id.toUpperCase()),
    'text',
  );
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.prepared('explain-stores', StoreFact)`
    with s as materialized (
      select * from store where id = any(${uuids}) or upper(code) = any(${codes}) or connected_account_id = any(${names}) limit 20
    )
    select ${instantOf(sql.fragment`${now.toISOString()}::timestamptz`)} as at, s.id as of,
      'Store ' || s.code || ' (' || s.id || ') is now ' || case when s.live then 'live' else 'not live' end
      || case when s.paused_until > ${now.toISOString()} then ', accepts no orders until ' || ${instantOf(sql.fragment`s.paused_until`)} else '' end
      || coalesce(', and is paid to ' || s.connected_account_id, ', and has no payment account')
      || coalesce((
        select case when a.accepts_orders then ', which the provider does not restrict'
          else ', which the provider restricts since ' || coalesce(${instantOf(sql.fragment`a.restricted_since`)}, 'an unknown time') || ': ' || a.reasons end
        from store_account a where a.store_id = s.id and a.account_id = s.connected_account_id), '') || '.' as sentence
    from s`);
  const named = (storeId: string) => ids.some((id) => id.toLowerCase() === storeId);
  return {
    facts: facts.filter(({ of }) => named(of)),
    also: facts.flatMap(({ of }) => (named(of) ? [] : [of])),
  };
}

const ProviderEvent = z.object({
  id: z.string(),
  type: z.string(),
  object_id: z.string(),
  attempts: z.number(),
  received_at: z.string(),
  processed_at: z.string().nullable(),
});

/** Returns when provider events were received and processed, by their ids. Their objects lead to the orders. */
export async function explainProviderEvents(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const rows = await queries.any(sql.prepared('explain-provider-events', ProviderEvent)`
    select id, type, object_id, attempts, ${instantOf(sql.fragment`received_at`)} as received_at,
      ${instantOf(sql.fragment`processed_at`)} as processed_at
    from provider_event where id = any(${sql.array([...ids], 'text')})`);
  const facts = rows.flatMap(({ id, type, object_id, attempts, received_at, processed_at }) => {
    const name = `The provider’s event ${id} (${type})`;
    const tried = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
    return [
      {
        at: received_at,
        sentence: `${name} about ${object_id} was received${processed_at ? '' : `; it is not processed yet, after ${tried}`}.`,
      },
      ...(processed_at ? [{ at: processed_at, sentence: `${name} was processed after ${tried}.` }] : []),
    ];
  });
  return { facts, also: [...new Set(rows.map(({ object_id }) => object_id))] };
}
