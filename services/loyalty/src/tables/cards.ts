import { type OutboxEntry, outboxInserted, type Queries, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

/** A customer's card at a store. */
export interface CardKey {
  readonly storeId: string;
  readonly customerId: string;
}

const Programme = z.object({
  goal: z.number(),
  enabled: z.boolean(),
  reward_title: z.string(),
  reward_unlock_message: z.string().nullable(),
  stamps_per_order: z.number(),
  min_spend_pence: z.number(),
  daily_stamp_limit: z.number(),
  monthly_stamp_quota: z.number().nullable(),
  plan_key: z.string(),
  time_zone: z.string(),
  settings: z.object({
    codes_without_proof: z.enum(['wait', 'count']).default('wait'),
    multi_stamp: z.object({ monthly_ceiling: z.number() }),
  }),
});
export type Programme = z.output<typeof Programme>;

const LockedCard = z.object({ version: z.number(), programme: Programme.nullable() });

/**
 * Locks a card, and creates it first when there is none. Returns its version, which is 0 until its first event, and the store's
 * programme; null for a store without one. Lock order: the programme's row (with `quota`, see {@link lockQuota}), then the card's.
 */
export async function lockCardRow(
  tx: Transaction,
  { storeId, customerId }: CardKey,
  { quota }: { readonly quota: boolean },
): Promise<z.output<typeof LockedCard>> {
  const programme = sql.fragment`
    select to_jsonb(p) || jsonb_build_object('time_zone', s.time_zone) as programme
    from programme p join store s on s.id = p.store_id where p.store_id = ${storeId} ${quota ? sql.fragment`for update of p` : sql.fragment``}`;
  // The insert reads `running`, so that the programme is locked before the card.
  const lockedCard = sql.fragment`
    insert into card (store_id, customer_id, created_at)
    select ${storeId}, ${customerId}, ${tx.now.toISOString()} from (select count(*) from running) first
    on conflict (store_id, customer_id) do update set version = card.version
    returning version`;
  return await tx.one(sql.prepared(quota ? 'lock-quota-and-card' : 'lock-card', LockedCard)`
    with running as materialized (${programme}), locked as (${lockedCard})
    select version, (select programme from running) as programme from locked`);
}

/** Inserts a locked card's next events and counts them in its version, in one statement. Without events it sends none. */
export async function insertCardEvents(tx: Transaction, { storeId, customerId }: CardKey, events: readonly OutboxEntry[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(sql.prepared('insert-card-events', z.object({}))`
    with counted as (update card set version = version + ${events.length} where store_id = ${storeId} and customer_id = ${customerId})
    ${outboxInserted(events)}`);
}

/**
 * Returns an update that records a visit on a card: at a time that is ISO 8601, by the customer or by staff who served them. A customer's
 * own action also lets the store see how to reach them. It is part of a statement that changes something else of a locked card.
 */
export const visitedAt = ({ storeId, customerId }: CardKey, at: string, by: 'customer' | 'staff'): FragmentSqlToken => sql.fragment`
  update card set last_visit_at = greatest(last_visit_at, ${at}::timestamptz),
    customer_since = ${by === 'customer' ? sql.fragment`least(customer_since, ${at}::timestamptz)` : sql.fragment`customer_since`}
  where store_id = ${storeId} and customer_id = ${customerId}`;

/** A visit of a customer, at a time that is ISO 8601. */
export interface NewVisit extends CardKey {
  readonly at: string;
}

const Key = z.object({ storeId: z.string(), customerId: z.string() });

/** Records visits of customers, and creates and returns the cards that do not exist. It locks the cards in the order of their keys. */
export async function upsertVisits(tx: Transaction, visits: readonly NewVisit[]): Promise<readonly CardKey[]> {
  const rows = visits.map(({ storeId, customerId, at }) => ({ store_id: storeId, customer_id: customerId, at }));
  return await tx.any(sql.prepared('record-visits', Key)`
    with visited as (
      insert into card as c (store_id, customer_id, created_at, last_visit_at, customer_since)
      select v.store_id, v.customer_id, ${tx.now.toISOString()}, max(v.at), min(v.at)
      from jsonb_to_recordset(${sql.jsonb(rows)}) as v (store_id uuid, customer_id uuid, at timestamptz)
      group by v.store_id, v.customer_id order by v.store_id, v.customer_id
      on conflict (store_id, customer_id) do update
      set last_visit_at = greatest(c.last_visit_at, excluded.last_visit_at), customer_since = least(c.customer_since, excluded.customer_since)
      returning c.store_id, c.customer_id, old.version is null as created
    )
    select store_id as "storeId", customer_id as "customerId" from visited where created`);
}

/**
 * A card's balance. `stampCount`: approved stamps that were not used, less the debt, never below 0. `debt`: stamps to be paid back
 * before new ones count.
 */
export const CardBalance = z.object({ stampCount: z.number(), debt: z.number() });
export type CardBalance = z.output<typeof CardBalance>;

/** Selects a {@link CardBalance}. `added` counts stamps that the same statement approves or takes back, which it does not see yet. */
export const selectCardBalance = (
  { storeId, customerId }: CardKey,
  added: FragmentSqlToken = sql.fragment`0`,
): FragmentSqlToken => sql.fragment`
  select greatest(0, ${added} - c.debt + (
      select count(*) from stamp s
      where s.store_id = c.store_id and s.customer_id = c.customer_id and s.status = 'approved' and s.voucher_id is null and not s.paid_debt
    ))::int as "stampCount", c.debt
  from card c where c.store_id = ${storeId} and c.customer_id = ${customerId}`;

/** Reads the balance of a card that exists. */
export const readCardBalance = async (queries: Pick<Queries, 'one'>, card: CardKey): Promise<CardBalance> =>
  await queries.one(sql.prepared('card-balance', CardBalance)`${selectCardBalance(card)}`);
