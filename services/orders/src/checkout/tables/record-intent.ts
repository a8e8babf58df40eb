import type { Queries } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { writeCustomerSql } from '../../order/tables/holds.ts';
import { customerReference } from '../../provider/tables.ts';

export interface PreparedIntent {
  readonly orderId: string;
  readonly intentId: string;
  /** The attempt that created the intent. */
  readonly attempt: number;
  readonly customerId: string;
  readonly mode: ProviderMode;
  /** The customer's id at the provider. */
  readonly providerId: string;
  readonly at: Date;
}

const Recorded = z.object({ id: z.string() });

/**
 * Stores the intent of an unpaid order and the customer's id at the provider, and that both were created. Returns false, having stored
 * at most the customer, when the order has an intent, has ended, or holds nothing because another request gave up on it. The conditions hide
 * their columns in `coalesce`: a plan would else read every order without an intent by the index of intents, or every unpaid one, also those
 * that have been paid since the last vacuum, by the index of unpaid orders.
 */
export const recordIntent = async (
  queries: Queries,
  { orderId, intentId, attempt, customerId, mode, providerId, at }: PreparedIntent,
): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('record-intent', Recorded)`
    with recorded as (
      update orders set payment_intent_id = ${intentId}
      where id = ${orderId} and coalesce(payment_intent_id, '') = '' and not holds_released and coalesce(payment_status, '') = 'pending_payment'
      returning id
    ), customer_recorded as (
      ${writeCustomerSql({ customerId, mode, providerId })}
    ), calls_done as (
      update provider_call c
      set state = 'done', ended_at = ${at.toISOString()}, provider_id = case c.purpose when 'intent' then ${intentId} else ${providerId} end
      from recorded
      where c.state <> 'done' and ((c.purpose = 'intent' and c.reference = ${orderId} and c.attempt = ${attempt})
        or (c.purpose = 'customer' and c.reference = ${customerReference(customerId, mode)} and c.state = 'requested'))
    )
    select id from recorded`)) !== null;
