import type { Queries } from '@corner/chassis';
import type { DataOf, directoryCustomer, directoryProgramme, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { monthlyQuota } from '../rules/limits.ts';

const none = z.object({});

/** Keeps a store's snapshot unless one as new is kept already. */
export async function keepStore(tx: Queries, store: DataOf<typeof directoryStore>): Promise<void> {
  await tx.query(sql.prepared('keep-store', none)`
    insert into store (id, version, code, name, currency, time_zone, live, branding)
    values (${store.id}, ${store.version}, ${store.code}, ${store.name}, ${store.currency}, ${store.time_zone}, ${store.status === 'live'}, ${sql.jsonb(store.branding)})
    on conflict (id) do update
    set version = excluded.version, code = excluded.code, name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone,
        live = excluded.live, branding = excluded.branding
    where store.version < excluded.version`);
}

/** Keeps a programme. A changed goal counts from the next stamp on. */
export async function keepProgramme(tx: Queries, programme: DataOf<typeof directoryProgramme>): Promise<void> {
  const { tags, multi_stamp, nfc_enforced, approval_mode, driver } = programme;
  await tx.query(sql.prepared('keep-programme', none)`
    insert into programme (store_id, version, enabled, goal, reward_title, reward_unlock_message, reward, voucher_type, voucher_days,
      stamps_per_order, min_spend_pence, daily_stamp_limit, monthly_stamp_quota, plan_key, settings)
    values (${programme.store_id}, ${programme.version}, ${programme.enabled}, ${programme.goal}, ${programme.reward_title},
      ${programme.reward_unlock_message}, ${sql.jsonb(programme.reward)}, ${programme.voucher_type}, ${programme.voucher_days},
      ${programme.stamps_per_order}, ${programme.min_spend_pence}, ${programme.daily_stamp_limit},
      ${monthlyQuota(programme.plan_key, programme.monthly_stamp_quota)}, ${programme.plan_key},
      ${sql.jsonb({ tags, multi_stamp, nfc_enforced, approval_mode, driver })})
    on conflict (store_id) do update
    set version = excluded.version, enabled = excluded.enabled, goal = excluded.goal, reward_title = excluded.reward_title,
        reward_unlock_message = excluded.reward_unlock_message, reward = excluded.reward, voucher_type = excluded.voucher_type,
        voucher_days = excluded.voucher_days, stamps_per_order = excluded.stamps_per_order, min_spend_pence = excluded.min_spend_pence,
        daily_stamp_limit = excluded.daily_stamp_limit, monthly_stamp_quota = excluded.monthly_stamp_quota, plan_key = excluded.plan_key,
        settings = excluded.settings
    where programme.version < excluded.version`);
}

/** Keeps a customer. */
export async function keepCustomer(tx: Queries, customer: DataOf<typeof directoryCustomer>): Promise<void> {
  await tx.query(sql.prepared('keep-customer', none)`
    insert into customer (id, version, name, email, phone, identity_user_id, memberships)
    values (${customer.id}, ${customer.version}, ${customer.name}, ${customer.email}, ${customer.phone}, ${customer.identity_user_id}, ${sql.jsonb(customer.memberships)})
    on conflict (id) do update
    set version = excluded.version, name = excluded.name, email = excluded.email, phone = excluded.phone,
        identity_user_id = excluded.identity_user_id, memberships = excluded.memberships
    where customer.version < excluded.version`);
}
