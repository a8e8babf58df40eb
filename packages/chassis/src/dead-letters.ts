import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from './database.ts';
import { type InboxOptions, parseEnvelope, react } from './inbox.ts';

export interface DeadLetter {
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
  readonly payload: string;
  readonly error: string;
  readonly attempts: number;
}

/** Sets an event aside that cannot be worked through, together with its inbox row, so that what follows goes on. */
export async function bury(database: Database, { error, payload, ...rest }: DeadLetter): Promise<void> {
  // Postgres's text holds no NUL; anything else may be read there as it came.
  const letter = { ...rest, error: error.replaceAll('\0', '\ufffd'), payload: payload.replaceAll('\0', '\ufffd') };
  await database.transaction(async (tx) => {
    await tx.query(sql.type(z.object({}))`
      insert into inbox (event_id, type, state) values (${letter.eventId}, ${letter.type}, 'dead')
      on conflict (event_id) do nothing`);
    await tx.query(sql.type(z.object({}))`
      insert into dead_letter (event_id, type, subject, payload, error, attempts)
      select ${letter.eventId}, ${letter.type}, ${letter.subject}, ${letter.payload}, ${letter.error}, ${letter.attempts}
      where exists (select 1 from inbox where event_id = ${letter.eventId} and state = 'dead')
      on conflict (event_id) do update
      set error = excluded.error, attempts = dead_letter.attempts + excluded.attempts, died_at = clock_timestamp(),
          settled_at = null, settled_as = null, settled_by = null, settled_reason = null`);
    await tx.query(sql.type(z.object({}))`delete from delivery_attempt where event_id = ${letter.eventId}`);
  });
}

/** Works a dead letter through again, by the same path as any event. Throws what the reaction throws, and then nothing has changed. */
export async function retryDeadLetter<Context>(options: InboxOptions<Context>, eventId: string, by: string): Promise<void> {
  await options.database.transaction(async (tx) => {
    const row = await tx.maybeOne(sql.type(z.object({ payload: z.string() }))`
      select payload from dead_letter where event_id = ${eventId} and settled_at is null for update`);
    if (!row) throw new Problem('VALIDATION_FAILED', { message: `event ${eventId} is not among the open dead letters` });
    await react(options, tx, { envelope: parseEnvelope(row.payload), redelivered: true });
    await tx.query(sql.type(z.object({}))`update inbox set state = 'done' where event_id = ${eventId}`);
    await settle(tx, eventId, 'retried', by, null);
  });
}

/** Gives a dead letter up, with the reason on record. Its event stays in the inbox as dead: its effects never happen. */
export async function discardDeadLetter(database: Database, eventId: string, by: string, reason: string): Promise<void> {
  await database.transaction((tx) => settle(tx, eventId, 'discarded', by, reason));
}

async function settle(
  tx: Pick<Database, 'query'>,
  eventId: string,
  as: 'retried' | 'discarded',
  by: string,
  reason: string | null,
): Promise<void> {
  await tx.query(sql.type(z.object({}))`
    update dead_letter set settled_at = clock_timestamp(), settled_as = ${as}, settled_by = ${by}, settled_reason = ${reason}
    where event_id = ${eventId} and settled_at is null`);
}
