import { type Envelope, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { NoColumns } from '../database/columns.ts';
import type { Database, Queries } from '../database/database.ts';
import { describeError } from '../errors/describe-error.ts';
import { isTransient } from '../errors/is-transient.ts';
import type { DeadLetterHandlers } from '../inbox/dead-letter.ts';
import { type InboxOptions, parseEnvelope } from '../inbox/incoming-event.ts';
import { runEventHandlers } from '../inbox/run-event-handlers.ts';

export interface RetryOptions<Context> extends InboxOptions<Context> {
  readonly deadLetterHandlers?: DeadLetterHandlers<Context>;
}

/**
 * Processes a dead letter again. A throw undoes its effects and counts an attempt, unless the fault is transient. Throws {@link NotOpen}.
 */
export async function retryDeadLetter<Context>(
  options: RetryOptions<Context>,
  eventId: string,
  { by, reason = null }: { readonly by: string; readonly reason?: string | null | undefined },
): Promise<void> {
  try {
    await options.database.transaction(async (tx) => {
      const row = await tx.maybeOne(sql.type(z.object({ type: z.string(), payload: z.string() }))`
        select type, payload from dead_letter where event_id = ${eventId} and settled_at is null for update`);
      if (!row) throw new NotOpen(eventId);
      const handler = options.deadLetterHandlers?.[row.type];
      if (handler) await handler(eventId, tx, options.context);
      else await runEventHandlers(options, tx, [{ envelope: envelopeIn(row.payload, eventId), redelivered: true }]);
      await tx.query(sql.type(NoColumns)`update inbox set state = 'done' where event_id = ${eventId}`);
      await settle(tx, eventId, { as: 'retried', by, reason });
    });
  } catch (error) {
    if (!(error instanceof NotOpen) && !isTransient(error)) await recordAttempt(options.database, eventId, error);
    throw error;
  }
}

/** A dead letter that was not an event has an id of its place, even if it holds another producer's event. */
function envelopeIn(payload: string, eventId: string): Envelope {
  const envelope = parseEnvelope(payload);
  if (envelope.id !== eventId) throw new Error('not an event of the producer in whose stream it was');
  return envelope;
}

/** Gives a dead letter up and records the reason. Its event stays in the inbox as dead, without effects. Throws {@link NotOpen}. */
export async function discardDeadLetter(database: Database, eventId: string, by: string, reason: string): Promise<void> {
  if ((await settle(database, eventId, { as: 'discarded', by, reason })) === 0) throw new NotOpen(eventId);
}

export class NotOpen extends Problem {
  constructor(eventId: string) {
    super('VALIDATION_FAILED', { message: `event ${eventId} is not among the open dead letters` });
  }
}

interface Settlement {
  readonly as: 'retried' | 'discarded';
  readonly by: string;
  readonly reason: string | null;
}

async function settle(queries: Pick<Queries, 'query'>, eventId: string, { as, by, reason }: Settlement): Promise<number> {
  const { rowCount } = await queries.query(sql.type(NoColumns)`
    update dead_letter set settled_at = clock_timestamp(), settled_as = ${as}, settled_by = ${by}, settled_reason = ${reason}
    where event_id = ${eventId} and settled_at is null`);
  return rowCount;
}

async function recordAttempt(database: Database, eventId: string, error: unknown): Promise<void> {
  await database.query(sql.type(NoColumns)`
    update dead_letter set attempts = attempts + 1, error = ${describeError(error).replaceAll('\0', '\ufffd')}
    where event_id = ${eventId} and settled_at is null`);
}
