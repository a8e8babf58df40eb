import type { Queries } from '@corner/chassis';
import type { DataOf, directoryCustomer, directoryProgramme, directoryStaff, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

/** Saves a store's snapshot unless one of the same version, or a newer one, is saved. */
export async function saveStore(tx: Queries, store: DataOf<typeof directoryStore>): Promise<void> {
  await tx.query(sql.prepared('save-store', none)`
    insert into store (id, version, code, name, currency, time_zone, live, branding)
    values (${store.id}, ${store.version}, ${store.code}, ${store.name}, ${store.currency}, ${store.time_zone}, ${store.status === 'live'}, ${sql.jsonb(store.branding)})
    on conflict (id) do update
    set version = excluded.version, code = excluded.code, name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone,
        live = excluded.live, branding = excluded.branding
    where store.version < excluded.version`);
}

/**
 * Saves a programme and its tags, unless it is saved in this version or a newer one. `monthlyQuota`: stamps per month, null for
 * unlimited. A tag it no longer names is revoked but keeps its counter, so a used tap stays used when the tag comes back.
 */
export async function saveProgramme(tx: Queries, programme: DataOf<typeof directoryProgramme>, monthlyQuota: number | null): Promise<void> {
  const { multi_stamp, nfc_enforced, codes_without_proof, driver } = programme;
  const tags = lastOfEachTag(programme.tags);
  await tx.query(sql.prepared('save-programme', none)`
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

/** Returns the tags with their UIDs in upper case. Of a tag that is listed twice the last entry counts. */
const lastOfEachTag = (tags: DataOf<typeof directoryProgramme>['tags']) => [
  ...new Map(tags.map((tag) => [tag.uid.toUpperCase(), { ...tag, uid: tag.uid.toUpperCase() }])).values(),
];

/** Saves a customer's snapshot unless one of the same version, or a newer one, is saved. */
export async function saveCustomer(tx: Queries, customer: DataOf<typeof directoryCustomer>): Promise<void> {
  await tx.query(sql.prepared('save-customer', none)`
    insert into customer (id, version, name, email, phone, identity_user_id, memberships)
    values (${customer.id}, ${customer.version}, ${customer.name}, ${customer.email}, ${customer.phone}, ${customer.identity_user_id}, ${sql.jsonb(customer.memberships)})
    on conflict (id) do update
    set version = excluded.version, name = excluded.name, email = excluded.email, phone = excluded.phone,
        identity_user_id = excluded.identity_user_id, memberships = excluded.memberships
    where customer.version < excluded.version`);
}

/** Saves a member of staff: the stores where they work, the hashes of their valid cards, and their revoked sessions. */
export async function saveStaff(tx: Queries, staff: DataOf<typeof directoryStaff>, cardHashes: readonly string[]): Promise<void> {
  const stores = staff.stores.map(({ id }) => id);
  await tx.query(sql.prepared('save-staff', none)`
    insert into staff (id, version, stores, cards, revoked_sessions)
    values (${staff.id}, ${staff.version}, ${sql.array(stores, 'uuid')}, ${sql.array([...cardHashes], 'text')}, ${sql.array(staff.revoked_sessions, 'text')})
    on conflict (id) do update
    set version = excluded.version, stores = excluded.stores, cards = excluded.cards, revoked_sessions = excluded.revoked_sessions
    where staff.version < excluded.version`);
}
