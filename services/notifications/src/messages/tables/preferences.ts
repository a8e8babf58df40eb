import type { Transaction } from '@corner/chassis';
import { preferenceToggles } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

/** Toggles by their public names. */
export type Toggles = { readonly [T in (typeof preferenceToggles)[number]]?: boolean | undefined };

const Consent = z.object({ asks: z.number(), told: z.number() });
export type Consent = z.output<typeof Consent>;

/** Locks what a customer was asked at a store, before anything of their wishes there is changed. Null for a store nobody knows. */
export const lockConsent = (tx: Transaction, customerId: string, storeId: string): Promise<Consent | null> =>
  tx.maybeOne(sql.prepared('lock-consent', Consent)`
    insert into marketing_ask (customer_id, store_id) select ${customerId}, id from store where id = ${storeId}
    on conflict (customer_id, store_id) do update set asks = marketing_ask.asks
    returning asks, told`);

/** Writes down how often a customer was asked and how much was told of it. */
export async function keepConsent(tx: Transaction, customerId: string, storeId: string, { asks, told }: Consent): Promise<void> {
  await tx.query(sql.prepared('keep-consent', none)`
    update marketing_ask set asks = ${asks}, told = ${told} where customer_id = ${customerId} and store_id = ${storeId}`);
}

export const ToggleRow = z.object({
  messagesMuted: z.boolean(),
  classReminders: z.boolean(),
  classEventsEnabled: z.boolean(),
  voucherEventsEnabled: z.boolean(),
  stampEventsEnabled: z.boolean(),
  membershipEventsEnabled: z.boolean(),
  penaltyEventsEnabled: z.boolean(),
  marketingEnabled: z.boolean(),
});
type Row = z.output<typeof ToggleRow>;

const defaults: Row = {
  messagesMuted: false,
  classReminders: true,
  classEventsEnabled: true,
  voucherEventsEnabled: true,
  stampEventsEnabled: true,
  membershipEventsEnabled: true,
  penaltyEventsEnabled: true,
  marketingEnabled: false,
};

/** The toggles of a table called p, by their public names; a row that is not there has the defaults. */
export const toggleColumns = sql.fragment`
  coalesce(p.messages_muted, false) as "messagesMuted", coalesce(p.class_reminders, true) as "classReminders",
  coalesce(p.class_events_enabled, true) as "classEventsEnabled", coalesce(p.voucher_events_enabled, true) as "voucherEventsEnabled",
  coalesce(p.stamp_events_enabled, true) as "stampEventsEnabled", coalesce(p.membership_events_enabled, true) as "membershipEventsEnabled",
  coalesce(p.penalty_events_enabled, true) as "penaltyEventsEnabled", coalesce(p.marketing_enabled, false) as "marketingEnabled"`;

/**
 * Merges toggles into a customer's wishes at a store, under the lock of {@link lockConsent}: one that is left out stays as it is.
 * Answers what is different now.
 */
export async function mergeToggles(tx: Transaction, customerId: string, storeId: string, t: Toggles, at: Date): Promise<Partial<Row>> {
  const before = await tx.maybeOne(sql.prepared('wishes-before', ToggleRow)`
    select ${toggleColumns} from preference p where p.customer_id = ${customerId} and p.store_id = ${storeId}`);
  const flag = (toggle: keyof Row) => t[toggle] ?? null;
  const now = await tx.one(sql.prepared('merge-toggles', ToggleRow)`
    insert into preference as p (customer_id, store_id, messages_muted, class_reminders, class_events_enabled, voucher_events_enabled,
      stamp_events_enabled, membership_events_enabled, penalty_events_enabled, marketing_enabled, updated_at)
    values (${customerId}, ${storeId}, coalesce(${flag('messagesMuted')}::boolean, false), coalesce(${flag('classReminders')}::boolean, true),
      coalesce(${flag('classEventsEnabled')}::boolean, true), coalesce(${flag('voucherEventsEnabled')}::boolean, true),
      coalesce(${flag('stampEventsEnabled')}::boolean, true), coalesce(${flag('membershipEventsEnabled')}::boolean, true),
      coalesce(${flag('penaltyEventsEnabled')}::boolean, true), coalesce(${flag('marketingEnabled')}::boolean, false), ${at.toISOString()})
    on conflict (customer_id, store_id) do update
    set messages_muted = coalesce(${flag('messagesMuted')}, p.messages_muted), class_reminders = coalesce(${flag('classReminders')}, p.class_reminders),
        class_events_enabled = coalesce(${flag('classEventsEnabled')}, p.class_events_enabled),
        voucher_events_enabled = coalesce(${flag('voucherEventsEnabled')}, p.voucher_events_enabled),
        stamp_events_enabled = coalesce(${flag('stampEventsEnabled')}, p.stamp_events_enabled),
        membership_events_enabled = coalesce(${flag('membershipEventsEnabled')}, p.membership_events_enabled),
        penalty_events_enabled = coalesce(${flag('penaltyEventsEnabled')}, p.penalty_events_enabled),
        marketing_enabled = coalesce(${flag('marketingEnabled')}, p.marketing_enabled), updated_at = excluded.updated_at
    returning ${toggleColumns}`);
  return Object.fromEntries(
    preferenceToggles.filter((toggle) => now[toggle] !== (before ?? defaults)[toggle]).map((toggle) => [toggle, now[toggle]]),
  );
}

/** Switches an earlier yes to marketing off, and makes no row where there is none. Answers whether there was a yes. */
export const withdrawMarketing = async (tx: Transaction, customerId: string, storeId: string, at: Date): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('withdraw-marketing', z.object({ store_id: z.string() }))`
    update preference set marketing_enabled = false, updated_at = ${at.toISOString()}
    where customer_id = ${customerId} and store_id = ${storeId} and marketing_enabled
    returning store_id`)) !== null;

const Listed = ToggleRow.extend({ storeId: z.string(), storeName: z.string() });

/** Selects the wishes of a customer for each store they have dealt with or have named a wish for, in order of name, then id. */
export const selectPreferences = (customerId: string) => sql.prepared('list-preferences', Listed)`
  select d.store_id as "storeId", coalesce(s.name, 'Unknown') as "storeName", ${toggleColumns}
  from (
    select store_id from interaction where customer_id = ${customerId}
    union
    select store_id from preference where customer_id = ${customerId}
  ) d
  left join store s on s.id = d.store_id
  left join preference p on p.customer_id = ${customerId} and p.store_id = d.store_id
  order by coalesce(s.name, 'Unknown') collate "C", d.store_id`;
