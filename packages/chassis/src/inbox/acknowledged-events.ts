import { sql } from 'slonik';
import { z } from 'zod';
import type { Broker } from '../broker/broker.ts';
import { retentionDays } from '../broker/streams.ts';
import type { Database } from '../database/database.ts';
import { eventIdOf } from './incoming-event.ts';

/** Events that are looked at: more than are committed out of their order, since few transactions of a consumer run at once. */
const lookedAt = 100;

/**
 * Returns whether the inbox lacks one of the last events up to `acknowledged`, a stream sequence. An event is acknowledged after its
 * commit, so the database has then lost commits: it was restored to an earlier time, or a standby that was behind has taken over.
 */
export async function lacksAcknowledged(database: Database, broker: Broker, stream: string, acknowledged: number): Promise<boolean> {
  const sequences = Array.from({ length: Math.min(acknowledged, lookedAt) }, (_, back) => acknowledged - back);
  const messages = await Promise.all(sequences.map((seq) => broker.jsm.streams.getMessage(stream, { seq })));
  // One day less than the inbox keeps an event, because the broker's clock and the database's may differ.
  const keptSince = Date.now() - (2 * retentionDays - 1) * 86_400_000;
  const ids = new Set(messages.flatMap((message) => (message && message.time.getTime() > keptSince ? eventIdOf(stream, message) : [])));
  if (ids.size === 0) return false;
  const known = await database.oneFirst(sql.type(z.object({ known: z.number() }))`
    select count(*) as known from inbox where event_id = any(${sql.array([...ids], 'uuid')})`);
  return known < ids.size;
}
