import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from './running.ts';
import type { Shop } from './shop.ts';

/** Inserts a stamp that waits for approval at a shop, as a tap without proof leaves one. A null customer is a guest. Returns its id. */
export async function addPendingStamp(running: Running, { storeId }: Shop, customerId: string | null = randomUUID()): Promise<string> {
  const id = randomUUID();
  await running.service.database.query(sql.type(z.object({}))`
    insert into stamp (id, store_id, customer_id, status, source, approval_reason, created_at)
    values (${id}, ${storeId}, ${customerId}, 'pending', 'nfc', 'no_proof', ${running.clock.now().toISOString()})`);
  return id;
}
