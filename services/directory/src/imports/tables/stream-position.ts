import { NoColumns, type Queries } from '@corner/chassis';
import type { ObjectKind } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/**
 * `read_up_to`: the sequence in the stream up to which the service published, or has taken over, every snapshot. `fault`: the snapshots
 * after it that it did not publish, as a sentence; null for none.
 */
const Position = z.object({
  read_up_to: z.number(),
  fault: z.string().nullable(),
});
export type Position = z.output<typeof Position>;

export const readPosition = (queries: Queries): Promise<Position | null> =>
  queries.maybeOne(sql.prepared('read-stream-position', Position)`select read_up_to, fault from stream_position where single`);

export async function savePosition(queries: Queries, { read_up_to, fault }: Position, now: Date): Promise<void> {
  await queries.query(sql.prepared('save-stream-position', NoColumns)`
    insert into stream_position (read_up_to, fault, looked_at) values (${read_up_to}, ${fault}, ${now.toISOString()})
    on conflict (single) do update set read_up_to = excluded.read_up_to, fault = excluded.fault, looked_at = excluded.looked_at`);
}

export interface StoredVersion {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly version: number;
}

export const newerThanPublished = (queries: Queries, snapshots: readonly StoredVersion[]): Promise<readonly number[]> =>
  queries.anyFirst(sql.prepared('newer-than-published', z.object({ place: z.number() }))`
    select s.place - 1 as place
    from rows from (jsonb_to_recordset(${sql.jsonb(snapshots)}) as (kind text, id uuid, version bigint)) with ordinality
      s (kind, id, version, place)
    left join lateral (select published from object where kind = s.kind and id = s.id limit 1) o on true
    where o.published is null or o.published < s.version
    order by s.place`);
