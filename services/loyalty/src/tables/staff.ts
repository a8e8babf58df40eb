import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** Finds the member of staff with an auth card, by the card's hash at a store. Returns the member's id. */
export const findStaffByCard = async (queries: Queries, cardHash: string): Promise<string | null> =>
  await queries.maybeOneFirst(sql.prepared('staff-by-card', z.object({ id: z.string() }))`
    select id from staff where cards @> array[${cardHash}] limit 1`);

const SessionOwner = z.object({ revoked: z.boolean() });

/** Reads whether a session is revoked, or its member no longer works at the store. Null when the member is unknown. */
export const findSessionOwner = async (
  queries: Queries,
  { staffId, sessionId, storeId }: { readonly staffId: string; readonly sessionId: string; readonly storeId: string },
): Promise<z.output<typeof SessionOwner> | null> =>
  await queries.maybeOne(sql.prepared('staff-session', SessionOwner)`
    select ${sessionId} = any(revoked_sessions) or ${storeId} <> all(stores) as revoked from staff where id = ${staffId}`);
