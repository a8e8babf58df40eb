import { sql } from 'slonik';
import { NoColumns } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { describeError } from '../errors/describe-error.ts';
import { measure } from '../telemetry/metrics.ts';
import { heldLease, LostLease } from './consumer-lease.ts';
import { type NewDeadLetter, writeDeadLetter } from './dead-letter.ts';
import type { Delivery } from './delivery.ts';
import { type ConsumeOptions, logFieldsOf, type Numbered } from './incoming-event.ts';

export interface Failure {
  readonly error: unknown;
  readonly attempts: number;
}

/** Writes a dead letter and marks its event dead in the inbox; the caller acknowledges it. Throws a LostLease. */
export async function deadLetterEvent<Context>(
  { database, log, lease }: ConsumeOptions<Context>,
  { eventId, subject, incoming, numbered, payload }: Delivery,
  { error, attempts }: Failure,
): Promise<void> {
  const type = incoming?.envelope.type ?? 'unreadable';
  await write(database, { eventId, type, subject, payload: payload(), error: describeError(error), attempts }, numbered, lease);
  measure('corner.dead_letters.written', 1, { 'corner.event.type': type });
  const fields = incoming ? logFieldsOf(incoming) : { event_id: eventId };
  log.error({ ...fields, attempts, err: error }, 'an event became a dead letter');
}

/** An event that another replica has processed meanwhile does not become a dead letter. */
async function write(database: Database, deadLetter: NewDeadLetter, numbered: Numbered | undefined, lease: string): Promise<void> {
  await database.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql.type(NoColumns)`
      with held as (${heldLease(lease)}), marked as (
        insert into inbox (event_id, type, state, producer, number)
        select ${deadLetter.eventId}::uuid, ${deadLetter.type}, 'dead', ${numbered?.producer ?? null}, ${numbered?.number ?? null}::bigint from held
        on conflict (event_id) do nothing)
      select from held`);
    if (rowCount === 0) throw new LostLease();
    const dead = await tx.exists(sql.type(NoColumns)`select 1 from inbox where event_id = ${deadLetter.eventId} and state = 'dead'`);
    if (dead) await writeDeadLetter(tx, deadLetter);
    await tx.query(sql.type(NoColumns)`delete from delivery_attempt where event_id = ${deadLetter.eventId}`);
  });
}
