import { insertEventsSql, NoColumns, type OutboxEntry, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { type CardKey, type CardOf, type CustomerAt, programmeOfCardSql } from './programmes.ts';

export const Programme = z.object({
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
    driver: z.enum(['orders', 'visits', 'membership']).default('orders'),
    multi_stamp: z.object({ monthly_ceiling: z.number() }),
  }),
});

export type Programme = z.output<typeof Programme>;

const LockedCard = z.object({
  programmeId: z.string(),
  version: z.number(),
  /** The version of the customer's row at the store; null where the store is the programme's home. */
  storeVersion: z.number().nullable(),
  programme: Programme.nullable(),
});

/**
 * Locks a card, and creates it first if it does not exist. Returns its version, which is 0 until its first event, and its programme with
 * the store's clock; null for a store without one. Lock order: the programme's row (with `quota`, see {@link lockQuota}), then the
 * customer's row at the store where that is not the card's, then the card's: each part reads the one before it.
 */
export async function lockCardRow(
  tx: Transaction,
  { storeId, customerId, of }: CustomerAt & { readonly of?: CardOf | undefined },
  { quota }: { readonly quota: boolean },
): Promise<z.output<typeof LockedCard>> {
  const programme = programmeOfCardSql(storeId, of);
  const also = quota ? '-and-quota' : '';
  return await tx.one(sql.prepared(`lock-card${also}${programme.by}`, LockedCard)`
    with home as materialized (
      select ${programme.id} as id
    ), running as materialized (
      select to_jsonb(p) || jsonb_build_object('time_zone', s.time_zone) as programme
      from programme p join store h on h.id = p.store_id join store s on s.id = ${storeId}
      where p.store_id = (select id from home) ${quota ? sql.fragment`for update of p` : sql.fragment``}
    ), visited as (
      insert into card (store_id, customer_id, created_at)
      select ${storeId}, ${customerId}, ${tx.now.toISOString()} from (select count(*) from running) first, home where home.id <> ${storeId}
      on conflict (store_id, customer_id) do update set version = card.version
      returning version
    ), locked as (
      insert into card (store_id, customer_id, created_at)
      select home.id, ${customerId}, ${tx.now.toISOString()} from (select count(*) from running) first, (select count(*) from visited) second, home
      on conflict (store_id, customer_id) do update set version = card.version
      returning store_id, version
    )
    select store_id as "programmeId", version, (select version from visited) as "storeVersion", (select programme from running) as programme
    from locked`);
}

/**
 * Inserts a locked card's next events and counts them in its version, in one statement; without events it sends none. `seenAt`: a store
 * with a new row of the customer, which one of the events announces.
 */
export async function insertCardEvents(
  tx: Transaction,
  { programmeId, customerId }: CardKey,
  events: readonly OutboxEntry[],
  seenAt: string | null = null,
): Promise<void> {
  if (events.length === 0) return;
  const ofCard = events.length - (seenAt === null ? 0 : 1);
  await tx.query(sql.prepared('insert-card-events', NoColumns)`
    with counted as (
      update card set version = version + case when store_id = ${programmeId} then ${ofCard} else 1 end
      where store_id = any(${sql.array(seenAt === null ? [programmeId] : [programmeId, seenAt], 'uuid')}) and customer_id = ${customerId})
    ${insertEventsSql(tx, events)}`);
}

interface NewVisit extends CustomerAt {
  readonly at: string;
}

const Key = z.object({ storeId: z.string(), customerId: z.string() });

/**
 * Records visits at times in ISO 8601, creates missing cards, and returns the keys of the new ones. Locks the cards in the order of their
 * keys.
 */
export async function upsertVisits(tx: Transaction, visits: readonly NewVisit[]): Promise<readonly CustomerAt[]> {
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
