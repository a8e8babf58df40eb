import type { Queries } from '@corner/chassis';
import type { DirectoryObject } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { fromStore } from '../object/tables.ts';

const BookingRow = z.object({ version: z.number(), data: z.custom<DirectoryObject<'booking'>>((data) => typeof data === 'object') });
const BookingPage = z.object({ cursor_known: z.boolean(), rows: z.array(BookingRow) });

export interface BookingQuery {
  readonly storeId: string;
  readonly from: Date;
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Reads a page of a store's bookings by their start, after the booking `after`; null for an unknown store. `cursor_known` is false when the
 * store has no such booking.
 */
export const listBookings = async (
  queries: Queries,
  { storeId, from, after, limit }: BookingQuery,
): Promise<z.output<typeof BookingPage> | null> =>
  await queries.maybeOne(sql.prepared('list-bookings', BookingPage)`
    select
      ${after}::uuid is null
        or exists (select from object c where c.kind = 'booking' and c.id = ${after}::uuid and c.store_id = s.id) as cursor_known,
      coalesce((select jsonb_agg(to_jsonb(page) - 'starts_at' - 'id' order by page.starts_at, page.id) from (
        select b.id, b.starts_at, b.version, b.data from object b
        where b.kind = 'booking' and b.store_id = s.id and b.starts_at >= ${from.toISOString()}::timestamptz
          and (b.starts_at, b.id) > (
            coalesce((select c.starts_at from object c where c.kind = 'booking' and c.id = ${after}::uuid and c.store_id = s.id), '-infinity'),
            coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000'))
        order by b.starts_at, b.id limit ${limit}
      ) page), '[]') as rows
    ${fromStore(storeId)}`);
