import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

export interface Interaction {
  readonly customerId: string;
  readonly storeId: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Records that a customer has interacted with a store. Late and repeated events can only widen the recorded span of time. */
export async function upsertInteraction(tx: Queries, { customerId, storeId, at }: Interaction): Promise<void> {
  await tx.query(sql.prepared('upsert-interaction', z.object({}))`
    insert into interaction (customer_id, store_id, first_at, last_at)
    values (${customerId}, ${storeId}, ${at}::timestamptz, ${at}::timestamptz)
    on conflict (customer_id, store_id) do update
    set first_at = least(interaction.first_at, excluded.first_at),
        last_at = greatest(interaction.last_at, excluded.last_at)`);
}
