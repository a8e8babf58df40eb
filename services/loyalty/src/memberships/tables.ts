import { insertEventsSql, instantOf, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { type CustomerAt, programmeOfSql } from '../card/tables/programmes.ts';

export const Membership = z.object({
  store_id: z.string(),
  customer_id: z.string(),
  version: z.number(),
  active: z.boolean(),
  plan_name: z.string().nullable(),
  current_period_end: z.string().nullable(),
  ending_said_for: z.string().nullable(),
  event_sequence: z.number(),
});
export type Membership = z.output<typeof Membership>;

const membershipColumns = sql.fragment`
  m.store_id, m.customer_id, m.version, m.active, m.plan_name, ${instantOf(sql.fragment`m.current_period_end`)} as current_period_end,
  ${instantOf(sql.fragment`m.ending_said_for`)} as ending_said_for, m.event_sequence`;

/** Locks the published state of a customer's memberships, in the order of their keys. */
export const lockMemberships = (tx: Transaction, customerId: string): Promise<readonly Membership[]> =>
  tx.any(sql.prepared('lock-memberships', Membership)`
    select ${membershipColumns} from membership m where m.customer_id = ${customerId} order by m.store_id for update`);

export const lockMembership = (tx: Transaction, { storeId, customerId }: CustomerAt): Promise<Membership | null> =>
  tx.maybeOne(sql.prepared('lock-membership', Membership)`
    select ${membershipColumns} from membership m where m.store_id = ${storeId} and m.customer_id = ${customerId} for update`);

/** A row of a newer snapshot stays. */
export async function saveMembership(tx: Transaction, membership: Membership, event: OutboxEntry | null): Promise<void> {
  const { store_id, customer_id, version, active, plan_name, current_period_end, ending_said_for, event_sequence } = membership;
  await tx.query(sql.prepared('save-membership', NoColumns)`
    with published as (${insertEventsSql(tx, event ? [event] : [])})
    insert into membership as m (store_id, customer_id, version, active, plan_name, current_period_end, ending_said_for, event_sequence)
    values (${store_id}, ${customer_id}, ${version}, ${active}, ${plan_name}, ${current_period_end}::timestamptz, ${ending_said_for}::timestamptz, ${event_sequence})
    on conflict (store_id, customer_id) do update
    set version = excluded.version, active = excluded.active, plan_name = excluded.plan_name, current_period_end = excluded.current_period_end,
        ending_said_for = excluded.ending_said_for, event_sequence = excluded.event_sequence
    where m.version <= excluded.version`);
}

const Due = z.object({ storeId: z.string(), customerId: z.string() });

export const findDueMemberships = (
  queries: Queries,
  { endsBy, endedBy }: { readonly endsBy: Date; readonly endedBy: Date },
  limit: number,
) =>
  queries.any(sql.prepared('due-memberships', Due)`
    select m.store_id as "storeId", m.customer_id as "customerId" from membership m
    where m.active and m.current_period_end is not null and m.current_period_end <= ${endsBy.toISOString()}
      and (m.current_period_end <= ${endedBy.toISOString()} or m.ending_said_for is distinct from m.current_period_end)
    order by m.current_period_end limit ${limit}`);

export const rewardsMemberships = (tx: Transaction, storeId: string): Promise<boolean> =>
  tx.oneFirst(sql.prepared('rewards-memberships', z.object({ found: z.boolean() }))`
    select exists (
      select from programme p where p.store_id = ${programmeOfSql(sql.fragment`${storeId}::uuid`)} and p.enabled and p.settings ->> 'driver' = 'membership'
    ) as found`);

/** The card must be locked. */
export const hasStampOf = (tx: Transaction, ref: string): Promise<boolean> =>
  tx.oneFirst(sql.prepared('has-stamp-of-period', z.object({ found: z.boolean() }))`
    select exists (select from stamp where visit_ref = ${ref}) as found`);
