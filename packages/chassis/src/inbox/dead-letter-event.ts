import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { describeError } from '../errors/describe-error.ts';
import { measure } from '../telemetry/metrics.ts';
import { type NewDeadLetter, writeDeadLetter } from './dead-letter.ts';
import type { Delivery } from './delivery.ts';
import { type InboxOptions, logFieldsOf, type Numbered } from './incoming-event.ts';

/** Why a delivery cannot be processed. */
export interface Failure {
  readonly error: unknown;
  readonly attempts: number;
}

/**
 * Writes a dead letter for a delivery that cannot be processed and marks it dead in the inbox, so that the events behind it go on. The
 * caller acknowledges it afterwards.
 */
export async function deadLetterEvent<Context>(
  { database, log }: InboxOptions<Context>,
  { eventId, subject, incoming, numbered, payload }: Delivery,
  { error, attempts }: Failure,
): Promise<void> {
  const type = incoming?.envelope.type ?? 'unreadable';
  await write(database, { eventId, type, subject, payload: payload(), error: describeError(error), attempts }, numbered);
  measure('corner.dead_letters.written', 1, { 'corner.event.type': type });
  const fields = incoming ? logFieldsOf(incoming) : { event_id: eventId };
  log.error({ ...fields, attempts, err: error }, 'an event became a dead letter');
}

/** An event that was processed meanwhile, by another replica, does not become a dead letter. */
async function write(database: Database, deadLetter: NewDeadLetter, numbered: Numbered | undefined): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql.type(z.object({}))`
      insert into inbox (event_id, type, state, producer, number)
      values (${deadLetter.eventId}, ${deadLetter.type}, 'dead', ${numbered?.producer ?? null}, ${numbered?.number ?? null})
      on conflict (event_id) do nothing`);
    const dead = await tx.exists(sql.type(z.object({}))`select 1 from inbox where event_id = ${deadLetter.eventId} and state = 'dead'`);
    if (dead) await writeDeadLetter(tx, deadLetter);
    await tx.query(sql.type(z.object({}))`delete from delivery_attempt where event_id = ${deadLetter.eventId}`);
  });
}
