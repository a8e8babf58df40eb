import type { Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

const Consent = z.object({
  /** How often the customer has been asked about the store's marketing. */
  asks: z.number(),
  /** The sequence of the last event published about the customer's preferences at the store. */
  eventSequence: z.number(),
});
export type Consent = z.output<typeof Consent>;

/** Whose consent, and at which store. */
export interface ConsentKey {
  readonly customerId: string;
  readonly storeId: string;
}

/** Locks a customer's consent at a store. It is locked before their preferences there change. Returns null for an unknown store. */
export const lockConsent = (tx: Transaction, { customerId, storeId }: ConsentKey): Promise<Consent | null> =>
  tx.maybeOne(sql.prepared('lock-consent', Consent)`
    insert into marketing_ask (customer_id, store_id) select ${customerId}, id from store where id = ${storeId}
    on conflict (customer_id, store_id) do update set asks = marketing_ask.asks
    returning asks, event_sequence as "eventSequence"`);

/** Writes a consent that {@link lockConsent} has locked. */
export async function updateConsent(tx: Transaction, { customerId, storeId }: ConsentKey, { asks, eventSequence }: Consent): Promise<void> {
  await tx.query(sql.prepared('update-consent', none)`
    update marketing_ask set asks = ${asks}, event_sequence = ${eventSequence}
    where customer_id = ${customerId} and store_id = ${storeId}`);
}

/** Whether a customer has been asked `maxAsks` times about a store's marketing, or has opted in. */
export const isMarketingSettled = (database: Queries, { customerId, storeId }: ConsentKey, maxAsks: number): Promise<boolean> =>
  database.oneFirst(sql.prepared('is-marketing-settled', z.object({ settled: z.boolean() }))`
    select exists (
      select from marketing_ask where store_id = ${storeId} and customer_id = ${customerId} and asks >= ${maxAsks}
      union all
      select from preference where store_id = ${storeId} and customer_id = ${customerId} and marketing_enabled) as settled`);
