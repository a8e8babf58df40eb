import type { JsMsg } from '@nats-io/jetstream';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { describeError } from '../errors/describe-error.ts';
import { measure } from '../telemetry/metrics.ts';
import { type NewDeadLetter, writeDeadLetter } from './dead-letter.ts';
import { type InboxOptions, type IncomingEvent, idOfPlace, logFieldsOf } from './incoming-event.ts';

export interface FailedMessage {
  readonly message: JsMsg;
  /** Null when the message is not an event envelope. */
  readonly incoming: IncomingEvent | null;
  readonly error: unknown;
  readonly attempts: number;
}

/**
 * Writes a dead letter for an event that cannot be processed and marks it dead in the inbox, so that the events behind it go on. The
 * caller acknowledges the message afterwards.
 */
export async function deadLetterEvent<Context>(
  { database, log }: InboxOptions<Context>,
  { message, incoming, error, attempts }: FailedMessage,
): Promise<void> {
  const eventId = incoming?.envelope.id ?? idOfPlace(message.info.stream, message.seq);
  const type = incoming?.envelope.type ?? 'unreadable';
  const { subject } = message;
  await write(database, { eventId, type, subject, payload: message.string(), error: describeError(error), attempts });
  measure('corner.dead_letters.written', 1, { 'corner.event.type': type });
  const fields = incoming ? logFieldsOf(incoming) : { event_id: eventId };
  log.error({ ...fields, attempts, err: error }, 'an event became a dead letter');
}

/** An event that was processed meanwhile, by another replica, does not become a dead letter. */
async function write(database: Database, deadLetter: NewDeadLetter): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql.type(z.object({}))`
      insert into inbox (event_id, type, state) values (${deadLetter.eventId}, ${deadLetter.type}, 'dead')
      on conflict (event_id) do nothing`);
    const dead = await tx.exists(sql.type(z.object({}))`select 1 from inbox where event_id = ${deadLetter.eventId} and state = 'dead'`);
    if (dead) await writeDeadLetter(tx, deadLetter);
    await tx.query(sql.type(z.object({}))`delete from delivery_attempt where event_id = ${deadLetter.eventId}`);
  });
}
