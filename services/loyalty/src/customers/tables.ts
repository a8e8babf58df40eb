import {
  type CustomerData,
  insertEventsSql,
  instantOf,
  type OutboxEntry,
  type Publisher,
  type Queries,
  type Transaction,
} from '@corner/chassis';
import type { ChangedBy } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { ActiveVoucher, activeVouchersSql, Membership } from '../card/tables/customer-state.ts';
import { programmeOfSql } from '../card/tables/programmes.ts';
import type { LookUp } from './rules.ts';

const text = z.string().nullable();

const Found = z.object({
  id: z.string(),
  known: z.boolean(),
  name: text,
  email: text,
  phone: text,
  identity_user_id: text,
  last_visit_at: text,
  created_at: z.string(),
  order_count: z.number(),
  stamp_count: z.number(),
  vouchers: z.array(ActiveVoucher),
  memberships: z.array(Membership).nullable(),
});

const CustomersFound = z.object({
  goal: z.number().nullable(),
  reward_title: text,
  driver: z.enum(['orders', 'visits', 'membership']),
  customers: z.array(Found),
});

interface Question {
  readonly storeId: string;
  readonly lookUp: LookUp;
  readonly masked: string;
  readonly by: ChangedBy;
  readonly now: Date;
  /** The event of the read. The statement adds the customers it found, and publishes nothing when it found none. */
  readonly read: OutboxEntry;
}

const LastVisit = z.object({ customer_id: z.string(), at: z.string() });

/** Returns when customers last visited a store or got a stamp there. Those who never did are left out. */
export const readLastVisits = (queries: Queries, ids: readonly string[]): Promise<readonly z.output<typeof LastVisit>[]> =>
  queries.any(sql.prepared('read-last-visits', LastVisit)`
    select c.customer_id, ${instantOf(sql.fragment`max(greatest(c.last_visit_at, c.created_at, s.at))`)} as at
    from card c, lateral (
      select max(created_at) as at from stamp where stamp.store_id = c.store_id and stamp.customer_id = c.customer_id
    ) s
    where c.customer_id = any(${sql.array([...ids], 'uuid')}) group by c.customer_id`);

export const isKnownAt = (queries: Queries, storeId: string, customerId: string): Promise<boolean> =>
  queries.oneFirst(sql.prepared('is-known-at', z.object({ known: z.boolean() }))`
    select exists (
      select from card where store_id = ${storeId} and customer_id = ${customerId} and customer_since is not null) as known`);

/** The most customers shown; beyond it the caller must type more. */
const most = 20;

/**
 * Finds customers of a store, the last visitors first, each with the card of its programme, and records the look-up. A customer who has
 * done nothing at the store, but has a card of the programme, is found by the card only. Null for an unknown store, which records nothing.
 * One statement finds and records.
 */
export const findCustomersAt = async (
  queries: Queries & Publisher,
  { storeId, lookUp, masked, by, now, read }: Question,
): Promise<z.output<typeof CustomersFound> | null> =>
  await queries.maybeOne(sql.prepared(`customers-by-${lookUp.kind}`, CustomersFound)`
    with home as materialized (
      select ${programmeOfSql(sql.fragment`${storeId}::uuid`)} as id
    ), matching as materialized (${matchingCustomersSql(lookUp)}), found as materialized (
      select m.id as customer_id, c.customer_since, c.last_visit_at, coalesce(c.created_at, k.created_at) as created_at,
        coalesce(c.order_count, 0) as order_count, coalesce(k.debt, 0) as debt
      from matching m
      left join card c on c.store_id = ${storeId} and c.customer_id = m.id
      left join card k on k.store_id = (select id from home) and k.customer_id = m.id
      where ${lookUp.kind === 'card' ? sql.fragment`coalesce(c.customer_id, k.customer_id) is not null` : sql.fragment`c.customer_since is not null`}
      order by c.last_visit_at desc nulls last, m.id limit ${most}
    ), recorded as (
      insert into look_up (store_id, at, by_id, by_name, kind, asked, found)
      select id, ${now.toISOString()}::timestamptz, ${by.id}, ${by.name}, ${lookUp.kind}, ${masked}, (select count(*) from found)
      from store where id = ${storeId}
    ), published as (${insertEventsSql(
      queries,
      [read],
      sql.fragment`cross join (select jsonb_agg(customer_id) as ids from found, store where store.id = ${storeId} having count(*) > 0) shown`,
      sql.fragment`data || jsonb_build_object('customer_ids', shown.ids)`,
    )})
    select p.goal, p.reward_title, coalesce(p.settings ->> 'driver', 'orders') as driver, coalesce((
        select jsonb_agg(jsonb_build_object('id', c.customer_id, 'known', c.customer_since is not null, 'name', u.name, 'email', u.email,
          'phone', u.phone, 'identity_user_id', u.identity_user_id, 'last_visit_at', ${instantOf(sql.fragment`c.last_visit_at`)},
          'created_at', ${instantOf(sql.fragment`c.created_at`)}, 'order_count', c.order_count,
          'stamp_count', greatest(0, (
            select count(*) from stamp t
            where t.store_id = (select id from home) and t.customer_id = c.customer_id and t.status = 'approved' and t.voucher_id is null and not t.paid_debt
          ) - c.debt),
          'vouchers', ${activeVouchersSql({ programmeId: sql.fragment`(select id from home)`, storeId: sql.fragment`${storeId}::uuid`, customerId: sql.fragment`c.customer_id` }, now)},
          'memberships', u.memberships) order by c.last_visit_at desc nulls last, c.customer_id)
        from found c left join customer u on u.id = c.customer_id
      ), '[]') as customers
    from store s left join programme p on p.store_id = (select id from home)
    where s.id = ${storeId}`);

/** Selects the ids of the customers, of any store, that match. Each condition is decided by an index of `customer`. */
export function matchingCustomersSql(lookUp: LookUp): FragmentSqlToken {
  switch (lookUp.kind) {
    case 'card':
      return sql.fragment`select ${lookUp.customerId}::uuid as id`;
    case 'email':
      return sql.fragment`select id from customer where lower(email collate "pg_c_utf8") = ${lookUp.email} collate "pg_c_utf8"`;
    case 'phone': {
      const reversed = [...lookUp.digits].reverse().join('');
      return sql.fragment`
        select id from customer
        where reverse(regexp_replace(phone, '[^0-9]', '', 'g')) collate "C" >= ${reversed}
          and reverse(regexp_replace(phone, '[^0-9]', '', 'g')) collate "C" < ${`${reversed}:`}`;
    }
    case 'name':
      return sql.fragment`
        select id from customer
        where array_to_tsvector(string_to_array(search_text(name), ' ')) @@ (
          select string_agg('''' || word || '''' || ${lookUp.whole ? '' : ':*'}, ' & ')::tsquery
          from unnest(string_to_array(search_text(${lookUp.text}), ' ')) word
        )`;
    default:
      return lookUp satisfies never;
  }
}

export const deleteLookUps = async (queries: Queries, before: Date): Promise<number> =>
  await queries.oneFirst(sql.prepared('drop-old-look-ups', z.object({ dropped: z.number() }))`
    with gone as (
      delete from look_up where id = any(array(select id from look_up where at < ${before.toISOString()} order by at limit 1000)) returning 1)
    select count(*)::int as dropped from gone`);

const Erased = z.object({ names: z.number(), devices: z.number(), codes: z.number(), receipts: z.number() });

/**
 * Drops data that identifies a customer or came from their phone: the profile, hashes of devices, places where codes were requested, and
 * ids of receipts. Returns how many rows of each.
 */
export const eraseCustomer = (tx: Transaction, customerId: string): Promise<z.output<typeof Erased>> =>
  tx.one(sql.prepared('erase-customer', Erased)`
    with named as (delete from customer where id = ${customerId} returning 1),
    joined as (delete from membership where customer_id = ${customerId}),
    used as (delete from device_use where customer_id = ${customerId} returning 1),
    asked as (
      update stamp_code set device = null, location_info = null
      where customer_id = ${customerId} and (device is not null or location_info is not null) returning 1),
    tapped as (
      update stamp set receipt_id = null, source = 'offline_nfc' where customer_id = ${customerId} and receipt_id is not null returning 1)
    select (select count(*) from tapped) as receipts, (select count(*) from named) as names, (select count(*) from used) as devices, (select count(*) from asked) as codes`);

const Usable = z.object({ voucherId: z.string(), storeId: z.string(), customerId: z.string() });

/** Lists the vouchers of a customer that can be used, in the order in which cards are locked. */
export const activeVouchersOf = (tx: Transaction, customerId: string): Promise<readonly z.output<typeof Usable>[]> =>
  tx.any(sql.prepared('active-vouchers-of-customer', Usable)`
    select id as "voucherId", store_id as "storeId", customer_id as "customerId" from voucher
    where customer_id = ${customerId} and coalesce(status, '') = 'active' order by store_id, id`);

const rowsOfCards = (name: string, key: FragmentSqlToken, row: FragmentSqlToken, from: FragmentSqlToken) => ({
  name,
  rows: (id: string) => sql.fragment`
    select ${key} as key, ${row} as row from card c ${from} where c.customer_id = ${id}`,
});

/** The data of a customer for an export. Codes that can still be used are left out. */
export const exportedSections: CustomerData<unknown>['sections'] = [
  {
    name: 'profile',
    rows: (id) => sql.fragment`
      select id::text as key, to_jsonb(customer) - 'version' as row from customer where id = ${id}`,
  },
  rowsOfCards('cards', sql.fragment`c.store_id::text`, sql.fragment`to_jsonb(c) - 'version' - 'customer_id'`, sql.fragment``),
  rowsOfCards(
    'stamps',
    sql.fragment`${instantOf(sql.fragment`s.created_at`)} || s.id::text`,
    sql.fragment`to_jsonb(s) - 'customer_id' - 'by_id' - 'by_name' - 'grant_key' - 'code_id'`,
    sql.fragment`join stamp s on s.store_id = c.store_id and s.customer_id = c.customer_id`,
  ),
  {
    name: 'vouchers',
    rows: (id) => sql.fragment`
      select id::text as key, to_jsonb(voucher) - 'customer_id' - 'code' - 'redeemed_by_id' - 'redeemed_by_name' as row
      from voucher where customer_id = ${id}`,
  },
  rowsOfCards(
    'orders that earned stamps',
    sql.fragment`o.order_id::text`,
    sql.fragment`jsonb_build_object('order_id', o.order_id, 'store_id', o.store_id, 'paid_pence', o.paid_pence, 'refunded_pence', o.refunded_pence)`,
    sql.fragment`join order_ledger o on o.store_id = c.store_id and o.customer_id = c.customer_id and o.paid`,
  ),
  {
    name: 'devices that collected stamps, as hashes',
    rows: (id) => sql.fragment`
      select store_id::text || encode(device, 'hex') as key,
        jsonb_build_object('store_id', store_id, 'hash', encode(device, 'hex'), 'at', at) as row
      from device_use where customer_id = ${id}`,
  },
  {
    name: 'stamp codes',
    rows: (id) => sql.fragment`
      select id::text as key, jsonb_build_object(
        'store_id', store_id, 'source', source, 'created_at', created_at, 'used_at', used_at, 'location_info', location_info,
        'device_hash', encode(device, 'hex')) as row
      from stamp_code where customer_id = ${id}`,
  },
];
