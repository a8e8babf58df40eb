import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { PreferenceRow as Listed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PreferenceChanges, Preferences } from '../rules/preferences.ts';

const Consent = z.object({
  asks: z.number(),
  eventSequence: z.number(),
  /** By preference, the sequence of the event by which the customer last switched it on. */
  switchedOn: z.record(z.string(), z.number()),
});
export type Consent = z.output<typeof Consent>;

export interface ConsentKey {
  readonly customerId: string;
  readonly storeId: string;
}

/** Must be locked before the customer's preferences at the store change. Null for an unknown store. */
export const lockConsent = (tx: Transaction, { customerId, storeId }: ConsentKey): Promise<Consent | null> =>
  tx.maybeOne(sql.prepared('lock-consent', Consent)`
    insert into marketing_ask (customer_id, store_id) select ${customerId}, id from store where id = ${storeId}
    on conflict (customer_id, store_id) do update set asks = marketing_ask.asks
    returning asks, event_sequence as "eventSequence", switched_on as "switchedOn"`);

export async function updateConsent(tx: Transaction, { customerId, storeId }: ConsentKey, consent: Consent): Promise<void> {
  await tx.query(sql.prepared('update-consent', NoColumns)`
    update marketing_ask
    set asks = ${consent.asks}, event_sequence = ${consent.eventSequence}, switched_on = ${sql.jsonb(consent.switchedOn)}
    where customer_id = ${customerId} and store_id = ${storeId}`);
}

const MarketingState = z.object({ decided: z.boolean(), storeIsKnown: z.boolean() });

/** `decided`: the customer has been asked `maxAsks` times about the store's marketing, or has opted in. */
export const readMarketingState = (
  database: Queries,
  { customerId, storeId }: ConsentKey,
  maxAsks: number,
): Promise<z.output<typeof MarketingState>> =>
  database.one(sql.prepared('read-marketing-state', MarketingState)`
    select
      exists (
        select from marketing_ask where store_id = ${storeId} and customer_id = ${customerId} and asks >= ${maxAsks}
        union all
        select from preference where store_id = ${storeId} and customer_id = ${customerId} and marketing_enabled) as decided,
      exists (select from store where id = ${storeId}) as "storeIsKnown"`);

export const PreferenceRow = z.object({
  messagesMuted: z.boolean(),
  classReminders: z.boolean(),
  classEventsEnabled: z.boolean(),
  voucherEventsEnabled: z.boolean(),
  stampEventsEnabled: z.boolean(),
  membershipEventsEnabled: z.boolean(),
  penaltyEventsEnabled: z.boolean(),
  marketingEnabled: z.boolean(),
}) satisfies z.ZodType<Preferences>;

export const preferenceColumns = sql.fragment`
  coalesce(p.messages_muted, false) as "messagesMuted", coalesce(p.class_reminders, true) as "classReminders",
  coalesce(p.class_events_enabled, true) as "classEventsEnabled", coalesce(p.voucher_events_enabled, true) as "voucherEventsEnabled",
  coalesce(p.stamp_events_enabled, true) as "stampEventsEnabled", coalesce(p.membership_events_enabled, true) as "membershipEventsEnabled",
  coalesce(p.penalty_events_enabled, true) as "penaltyEventsEnabled", coalesce(p.marketing_enabled, false) as "marketingEnabled"`;

export const selectPreferences = (tx: Transaction, { customerId, storeId }: ConsentKey): Promise<Preferences | null> =>
  tx.maybeOne(sql.prepared('select-preferences', PreferenceRow)`
    select ${preferenceColumns} from preference p where p.customer_id = ${customerId} and p.store_id = ${storeId}`);

export async function upsertPreferences(tx: Transaction, key: ConsentKey, changes: PreferenceChanges): Promise<Preferences> {
  const { customerId, storeId } = key;
  const flag = (toggle: keyof Preferences) => changes[toggle] ?? null;
  return await tx.one(sql.prepared('upsert-preferences', PreferenceRow)`
    insert into preference as p (customer_id, store_id, messages_muted, class_reminders, class_events_enabled, voucher_events_enabled,
      stamp_events_enabled, membership_events_enabled, penalty_events_enabled, marketing_enabled, updated_at)
    values (${customerId}, ${storeId}, coalesce(${flag('messagesMuted')}::boolean, false), coalesce(${flag('classReminders')}::boolean, true),
      coalesce(${flag('classEventsEnabled')}::boolean, true), coalesce(${flag('voucherEventsEnabled')}::boolean, true),
      coalesce(${flag('stampEventsEnabled')}::boolean, true), coalesce(${flag('membershipEventsEnabled')}::boolean, true),
      coalesce(${flag('penaltyEventsEnabled')}::boolean, true), coalesce(${flag('marketingEnabled')}::boolean, false), ${tx.now.toISOString()})
    on conflict (customer_id, store_id) do update
    set messages_muted = coalesce(${flag('messagesMuted')}, p.messages_muted), class_reminders = coalesce(${flag('classReminders')}, p.class_reminders),
        class_events_enabled = coalesce(${flag('classEventsEnabled')}, p.class_events_enabled),
        voucher_events_enabled = coalesce(${flag('voucherEventsEnabled')}, p.voucher_events_enabled),
        stamp_events_enabled = coalesce(${flag('stampEventsEnabled')}, p.stamp_events_enabled),
        membership_events_enabled = coalesce(${flag('membershipEventsEnabled')}, p.membership_events_enabled),
        penalty_events_enabled = coalesce(${flag('penaltyEventsEnabled')}, p.penalty_events_enabled),
        marketing_enabled = coalesce(${flag('marketingEnabled')}, p.marketing_enabled), updated_at = excluded.updated_at
    returning ${preferenceColumns}`);
}

/** Inserts no row. Returns whether marketing was on. */
export const switchMarketingOff = async (tx: Transaction, { customerId, storeId }: ConsentKey): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('switch-marketing-off', z.object({ store_id: z.string() }))`
    update preference set marketing_enabled = false, updated_at = ${tx.now.toISOString()}
    where customer_id = ${customerId} and store_id = ${storeId} and marketing_enabled
    returning store_id`)) !== null;

const ListedRow = PreferenceRow.extend(Listed.pick({ storeId: true, storeName: true, marketingAnswer: true }).shape);

/** Every store the customer has interacted with or set a preference for, by store name, then id, each with the last answer. */
export const listPreferences = (database: Queries, customerId: string): Promise<readonly z.output<typeof ListedRow>[]> =>
  database.any(sql.prepared('list-preferences', ListedRow)`
    select d.store_id as "storeId", coalesce(s.name, 'Unknown') as "storeName", ${preferenceColumns}, (
      select jsonb_build_object('accepted', c.accepted, 'at', ${instantOf(sql.fragment`c.at`)}, 'way', c.way,
        'shown', case when c.wording is not null then jsonb_build_object('text', c.wording, 'locale', c.locale) end)
      from consent c where c.customer_id = ${customerId} and c.store_id = d.store_id order by c.sequence desc limit 1
    ) as "marketingAnswer"
    from (
      select store_id from interaction where customer_id = ${customerId}
      union
      select store_id from preference where customer_id = ${customerId}
    ) d
    left join store s on s.id = d.store_id
    left join preference p on p.customer_id = ${customerId} and p.store_id = d.store_id
    order by coalesce(s.name, 'Unknown') collate "C", d.store_id`);
