import { languages } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Template } from '../rules/template-data.ts';
import { Addresses, addressColumns } from './addresses.ts';
import { PreferenceRow, preferenceColumns } from './preferences.ts';

export const PendingMessage = PreferenceRow.extend({
  ...Addresses.shape,
  id: z.string(),
  event_id: z.string(),
  /** Null for a contact of a store, and for a guest of the queue. */
  customer_id: z.string().nullable(),
  /** Null unless the message is for a contact of a store. */
  contact_id: z.string().nullable(),
  /** The entry of the queue that the message is about; null for every other message. */
  entry_ref: z.string().nullable(),
  store_id: z.string(),
  channel: z.enum(['push', 'email', 'sms']),
  template: z.custom<Template>((name) => typeof name === 'string'),
  data: z.record(z.string(), z.unknown()),
  topic: z.string(),
  attempts: z.number(),
  created_at: z.string(),
  due_at: z.string(),
  expires_at: z.string().nullable(),
  /** The trace of the event that the message is about; null for a message without one. */
  traceparent: z.string().nullable(),
  superseded: z.boolean(),
  /** Null for a store of which no snapshot has arrived. */
  store_name: z.string().nullable(),
  time_zone: z.string(),
  currency: z.string(),
  vat_number: z.string().nullable(),
  /** Where replies to the store go; null when none of its contacts has an address. */
  contact_email: z.string().nullable(),
  /** The customer's language; the store's when the customer's is unknown; else English. */
  language: z.enum(languages),
});
/** A pending message with everything its delivery depends on, as it is when it is read. */
export type PendingMessage = z.output<typeof PendingMessage>;

/**
 * Reads the pending messages on topic t of lease l as one JSON array, oldest first, with the recipient's current preferences and addresses
 * and the store's current name.
 */
export const pendingMessages = sql.fragment`
  select coalesce(jsonb_agg(to_jsonb(pending) order by pending.sequence, pending.id), '[]') from (
    select m.id, m.event_id, m.customer_id, m.contact_id, m.entry_ref, m.store_id, m.channel, m.template, m.data, m.topic, m.sequence, m.attempts, m.created_at, m.due_at, m.expires_at, m.traceparent,
      m.sequence < l.newest_sequence as superseded, s.name as store_name, coalesce(s.time_zone, 'Europe/London') as time_zone,
      coalesce(s.currency, 'GBP') as currency, s.vat_number, s.contact_email, coalesce(c.language, s.language, 'en') as language,
      ${preferenceColumns}, ${addressColumns}
    from message m
    left join store s on s.id = m.store_id
    left join lateral (
      select id, email, phone, push_devices, language from customer where id = m.customer_id
      union all
      select id, email, phone, push_devices, null from contact where id = m.contact_id
    ) c on true
    left join preference p on p.customer_id = m.customer_id and p.store_id = m.store_id
    where m.topic = t.key and m.state = 'pending'
  ) pending`;
