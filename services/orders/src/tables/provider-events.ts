import type { Database } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** Keeps an event of the provider's before it is answered, once. Answers whether it is new. */
export async function recordProviderEvent(
  database: Database,
  event: { readonly id: string; readonly type: string; readonly objectId: string },
  at: Date,
): Promise<boolean> {
  const fresh = await database.maybeOne(sql.prepared('record-provider-event', z.object({ id: z.string() }))`
    insert into provider_event (id, type, object_id, received_at) values (${event.id}, ${event.type}, ${event.objectId}, ${at.toISOString()})
    on conflict do nothing returning id`);
  return fresh !== null;
}

const Open = z.object({ id: z.string(), type: z.string(), object_id: z.string() });
/** An event that was kept. */
export type ProviderEventRow = z.output<typeof Open>;

/** Events not worked through yet, oldest first; those that keep failing come later and later. */
export const openProviderEvents = (database: Database, at: Date): Promise<readonly ProviderEventRow[]> =>
  database.any(sql.prepared('open-provider-events', Open)`
    select id, type, object_id from provider_event
    where worked_at is null and received_at + make_interval(secs => least(attempts * attempts, 600)) <= ${at.toISOString()}
    order by received_at limit 50`);

/** The event has been worked through, or has failed once more. What was worked through once stays so, whoever fails at it beside. */
export async function noteProviderEvent(database: Database, id: string, worked: Date | null): Promise<void> {
  await database.query(sql.prepared('note-provider-event', z.object({}))`
    update provider_event set worked_at = ${worked?.toISOString() ?? null}, attempts = attempts + 1 where id = ${id} and worked_at is null`);
}
