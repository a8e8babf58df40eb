import type { Queries, Transaction } from '@corner/chassis';
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

/** Sets a locked card's version and inserts the event of that version, in one statement. `columns` and `values` are an outbox row. */
export async function insertCardEvent(
  tx: Transaction,
  { storeId, customerId, version }: CardKey & { readonly version: number },
  { columns, values }: { readonly columns: FragmentSqlToken; readonly values: FragmentSqlToken },
): Promise<void> {
  await tx.query(sql.prepared('insert-card-event', z.object({}))`
    with counted as (update card set version = ${version} where store_id = ${storeId} and customer_id = ${customerId})
    insert into outbox (${columns}) values (${values})`);
}

/**
 * Returns an update that records a visit on a card: at a time that is ISO 8601, by the customer or by staff who served them. A customer's
 * own action also lets the store see how to reach them. It is part of a statement that changes something else of a locked card.
 */
export const visitedAt = ({ storeId, customerId }: CardKey, at: string, by: 'customer' | 'staff'): FragmentSqlToken => sql.fragment`
  update card set last_visit_at = greatest(last_visit_at, ${at}::timestamptz),
    customer_since = ${by === 'customer' ? sql.fragment`least(customer_since, ${at}::timestamptz)` : sql.fragment`customer_since`}
  where store_id = ${storeId} and customer_id = ${customerId}`;

/** Records a visit of a customer on a locked card. */
export async function setVisit(tx: Transaction, card: CardKey, at: string): Promise<void> {
  await tx.query(sql.prepared('set-visit', z.object({}))`${visitedAt(card, at, 'customer')}`);
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
