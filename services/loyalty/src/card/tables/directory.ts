import { NoColumns, type Queries } from '@corner/chassis';
import {
  CardLook,
  type DataOf,
  type directoryCustomer,
  type directoryProgramme,
  type directoryStore,
  normaliseTyped,
} from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOfSql } from './programmes.ts';

/** Saves a store's snapshot unless the same or a newer version is saved. */
export async function saveStore(tx: Queries, store: DataOf<typeof directoryStore>): Promise<void> {
  await tx.query(sql.prepared('save-store', NoColumns)`
    insert into store (id, version, code, name, currency, time_zone, live, branding)
    values (${store.id}, ${store.version}, ${store.code}, ${store.name}, ${store.currency}, ${store.time_zone}, ${store.status === 'live'}, ${sql.jsonb(store.branding)})
    on conflict (id) do update
    set version = excluded.version, code = excluded.code, name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone,
        live = excluded.live, branding = excluded.branding
    where store.version < excluded.version`);
}

/**
 * Saves a programme, its stores and the tags of its home, unless it is saved in this version or a newer one. Of two programmes that name a
 * store the one that is saved last has it. `monthlyQuota`: stamps per month, null for
 * unlimited. A tag it no longer names is revoked but keeps its counter, so a used tap stays used when the tag comes back.
 */
export async function saveProgramme(tx: Queries, programme: DataOf<typeof directoryProgramme>, monthlyQuota: number | null): Promise<void> {
  const { multi_stamp, nfc_enforced, codes_without_proof, driver } = programme;
  const tags = lastOfEachTag(programme.tags);
  const storeIds = sql.array([...programme.store_ids], 'uuid');
  await tx.query(sql.prepared('save-programme', NoColumns)`
    with saved as (insert into programme (store_id, version, enabled, goal, reward_title, reward_unlock_message, reward, voucher_type, voucher_days,
      voucher_expiring_days, stamps_per_order, min_spend_pence, daily_stamp_limit, monthly_stamp_quota, plan_key, settings)
    values (${programme.store_id}, ${programme.version}, ${programme.enabled}, ${programme.goal}, ${programme.reward_title},
      ${programme.reward_unlock_message}, ${sql.jsonb(programme.reward)}, ${programme.voucher_type}, ${programme.voucher_days},
      ${programme.voucher_expiring_days}, ${programme.stamps_per_order}, ${programme.min_spend_pence}, ${programme.daily_stamp_limit},
      ${monthlyQuota}, ${programme.plan_key},
      ${sql.jsonb({ multi_stamp, nfc_enforced, codes_without_proof, driver })})
    on conflict (store_id) do update
    set version = excluded.version, enabled = excluded.enabled, goal = excluded.goal, reward_title = excluded.reward_title,
        reward_unlock_message = excluded.reward_unlock_message, reward = excluded.reward, voucher_type = excluded.voucher_type,
        voucher_days = excluded.voucher_days, voucher_expiring_days = excluded.voucher_expiring_days, stamps_per_order = excluded.stamps_per_order, min_spend_pence = excluded.min_spend_pence,
        daily_stamp_limit = excluded.daily_stamp_limit, monthly_stamp_quota = excluded.monthly_stamp_quota, plan_key = excluded.plan_key,
        settings = excluded.settings
    where programme.version < excluded.version
    returning store_id),
    departed as (
      delete from programme_store where programme_id in (select store_id from saved) and store_id <> all (${storeIds})
    ),
    joined as (
      insert into programme_store (store_id, programme_id)
      select distinct named.id, saved.store_id from saved, unnest(${storeIds}) named (id) where named.id <> saved.store_id
      on conflict (store_id) do update set programme_id = excluded.programme_id
    ),
    named as (
      insert into tag (uid, store_id, key_version, revoked)
      select t.uid, saved.store_id, t.key_version, t.revoked
      from saved, jsonb_to_recordset(${sql.jsonb(tags)}) t (uid text, key_version text, revoked boolean)
      on conflict (uid) do update set store_id = excluded.store_id, key_version = excluded.key_version, revoked = excluded.revoked
    )
    update tag set revoked = true
    where store_id in (select store_id from saved) and uid <> all (${sql.array(
      tags.map(({ uid }) => uid),
      'text',
    )})`);
}

/** Returns the tags with their UIDs in upper case. If a tag is listed twice, the last entry counts. */
const lastOfEachTag = (tags: DataOf<typeof directoryProgramme>['tags']) => [
  ...new Map(tags.map((tag) => [tag.uid.toUpperCase(), { ...tag, uid: tag.uid.toUpperCase() }])).values(),
];

/**
 * Saves a customer's snapshot. Returns whether it is the first one of the customer; null, and saves nothing, when one of the same version,
 * or a newer one, is saved.
 */
export const saveCustomer = async (tx: Queries, customer: DataOf<typeof directoryCustomer>): Promise<boolean | null> => {
  const saved = await tx.maybeOne(sql.prepared('save-customer', z.object({ first: z.boolean() }))`
    insert into customer (id, version, name, email, phone, identity_user_id, memberships)
    values (${customer.id}, ${customer.version}, ${customer.name}, ${customer.email}, ${customer.phone}, ${customer.identity_user_id}, ${sql.jsonb(customer.memberships)})
    on conflict (id) do update
    set version = excluded.version, name = excluded.name, email = excluded.email, phone = excluded.phone,
        identity_user_id = excluded.identity_user_id, memberships = excluded.memberships
    where customer.version < excluded.version
    returning old.id is null as first`);
  return saved?.first ?? null;
};

const MultiStamp = z.object({
  enabled: z.boolean(),
  entitled: z.boolean(),
  max_request: z.number(),
  monthly_ceiling: z.number(),
  staff_card_without_tap: z.enum(['refuse', 'accept']).default('refuse'),
});

const StampingStore = z.object({
  id: z.string(),
  programmeId: z.string(),
  code: z.string(),
  name: z.string(),
  live: z.boolean(),
  timeZone: z.string(),
  branding: CardLook,
  enabled: z.boolean(),
  goal: z.number(),
  monthlyStampQuota: z.number().nullable(),
  nfcEnforced: z.boolean(),
  multiStamp: MultiStamp.nullable(),
});

/** A store with its programme; `enabled` is false without one. `monthlyStampQuota`: null for unlimited. */
type StampingStore = z.output<typeof StampingStore>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a condition on `store s` that matches its id or its short code, in any case, and which of the two it is, for the statement's name. */
export const matchStoreSql = (named: string) =>
  uuid.test(named)
    ? ({ by: 'id', match: sql.fragment`s.id = ${named}` } as const)
    : ({ by: 'code', match: sql.fragment`upper(s.code) = upper(${normaliseTyped(named)})` } as const);

export async function findStore(queries: Queries, named: string): Promise<StampingStore | null> {
  const { by, match } = matchStoreSql(named);
  return await queries.maybeOne(sql.prepared(`store-by-${by}`, StampingStore)`
    select s.id, h.id as "programmeId", s.code, s.name, s.live, s.time_zone as "timeZone", s.branding, coalesce(p.enabled, false) as enabled, coalesce(p.goal, 0) as goal,
      p.monthly_stamp_quota as "monthlyStampQuota", coalesce((p.settings ->> 'nfc_enforced')::boolean, false) as "nfcEnforced", p.settings -> 'multi_stamp' as "multiStamp"
    from store s cross join lateral (select ${programmeOfSql(sql.fragment`s.id`)} as id offset 0) h left join programme p on p.store_id = h.id
    where ${match} order by s.id limit 1`);
}
