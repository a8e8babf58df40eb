import type { Queries } from '@corner/chassis';
import { queueStatuses } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const text = z.string().nullable();

/** An entry as it is kept; instants are written as they are answered. */
export const Entry = z.object({
  id: z.string(),
  entry_id: z.string(),
  store_id: z.string(),
  customer_id: text,
  guest_name: text,
  guest_phone: text,
  service_id: text,
  preferred_unit_id: text,
  party_size: z.number(),
  status: z.enum(queueStatuses),
  joined_at: z.string(),
  called_at: text,
  hold_until: text,
  quoted_wait_min: z.number(),
  appointment_id: text,
  ended_at: text,
  told: z.number(),
});
export type Entry = z.output<typeof Entry>;

const instant = (column: string) =>
  sql.fragment`to_char(${sql.identifier(['e', column])} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${sql.identifier([column])}`;

/** The columns of an {@link Entry}, of a table called e. */
export const entryColumns = sql.fragment`
  e.id, e.entry_id, e.store_id, e.customer_id, e.guest_name, e.guest_phone, e.service_id, e.preferred_unit_id, e.party_size, e.status,
  ${instant('joined_at')}, ${instant('called_at')}, ${instant('hold_until')}, e.quoted_wait_min, e.appointment_id, ${instant('ended_at')}, e.told`;

/** Those who hold a place, as the indexes have it. */
export const isHeld = sql.fragment`e.status in ('waiting', 'called', 'assigned')`;

/** The entry a credential names. */
export const entryNamed = async (queries: Queries, entryId: string): Promise<Entry | null> =>
  await queries.maybeOne(sql.prepared('entry-named', Entry)`select ${entryColumns} from entry e where e.entry_id = ${entryId}`);

/** The place a customer holds at a store. */
export const entryHeldBy = async (queries: Queries, storeId: string, customerId: string): Promise<Entry | null> =>
  await queries.maybeOne(sql.prepared('entry-held', Entry)`
    select ${entryColumns} from entry e where e.store_id = ${storeId} and e.customer_id = ${customerId} and ${isHeld}`);
