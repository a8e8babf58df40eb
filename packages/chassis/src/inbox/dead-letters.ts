import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Queries, Transaction } from '../database/database.ts';
import { instantOf } from '../database/instant.ts';
import { describeError } from '../errors/describe-error.ts';
import { isTransient } from '../errors/faults.ts';
import { type InboxOptions, parseEnvelope, react } from './inbox.ts';

export interface NewDeadLetter {
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
  readonly payload: string;
  readonly error: string;
  readonly attempts: number;
}

/** Sets an event aside that cannot be worked through, together with its inbox row, so that what follows goes on. */
export async function writeDeadLetter(database: Database, deadLetter: NewDeadLetter): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql.type(z.object({}))`
      insert into inbox (event_id, type, state) values (${deadLetter.eventId}, ${deadLetter.type}, 'dead')
      on conflict (event_id) do nothing`);
    const dead = await tx.exists(sql.type(z.object({}))`select 1 from inbox where event_id = ${deadLetter.eventId} and state = 'dead'`);
    if (dead) await keepDeadLetter(tx, deadLetter);
    await tx.query(sql.type(z.object({}))`delete from delivery_attempt where event_id = ${deadLetter.eventId}`);
  });
}

/** Keeps a dead letter, or opens the one of this id again. In the transaction that gives its cause up. */
export async function keepDeadLetter(tx: Queries, { eventId, type, subject, payload, error, attempts }: NewDeadLetter): Promise<void> {
  // Postgres's text holds no NUL; anything else may be read there as it came.
  const [readable, words] = [payload, error].map((text) => text.replaceAll('\0', '\ufffd')) as [string, string];
  await tx.query(sql.type(z.object({}))`
    insert into dead_letter (event_id, type, subject, payload, error, attempts)
    values (${eventId}, ${type}, ${subject}, ${readable}, ${words}, ${attempts})
    on conflict (event_id) do update
    set error = excluded.error, attempts = dead_letter.attempts + excluded.attempts, dead_lettered_at = clock_timestamp(),
        settled_at = null, settled_as = null, settled_by = null, settled_reason = null`);
}

/**
 * How a service works its own kinds of dead letters through again, by their type. It runs in the transaction that settles the
 * letter; when it throws, the letter stays open.
 */
export type OwnDeadLetters<Context> = Readonly<Record<string, (id: string, tx: Transaction, context: Context) => Promise<void>>>;

/**
 * Works a dead letter through again, by the same path as any event. Throws what the reaction throws: then nothing of its
 * effects has changed, and the letter counts one more attempt and names the new fault, unless the world was in trouble.
 */
export async function retryDeadLetter<Context>(options: InboxOptions<Context>, eventId: string, by: string): Promise<void> {
  try {
    await options.database.transaction(async (tx) => {
      const row = await tx.maybeOne(sql.type(z.object({ type: z.string(), payload: z.string() }))`
        select type, payload from dead_letter where event_id = ${eventId} and settled_at is null for update`);
      if (!row) throw new NotOpen(eventId);
      const own = options.ownDeadLetters?.[row.type];
      if (own) await own(eventId, tx, options.context);
      else await react(options, tx, { envelope: parseEnvelope(row.payload), redelivered: true });
      await tx.query(sql.type(z.object({}))`update inbox set state = 'done' where event_id = ${eventId}`);
      await settle(tx, eventId, 'retried', by, null);
    });
  } catch (error) {
    if (!(error instanceof NotOpen) && !isTransient(error)) await noteAttempt(options.database, eventId, error);
    throw error;
  }
}

/**
 * Gives a dead letter up, with the reason on record. Its event stays in the inbox as dead: its effects never happen. Throws
 * {@link NotOpen} when it is not among the open ones.
 */
export async function discardDeadLetter(database: Database, eventId: string, by: string, reason: string): Promise<void> {
  if ((await settle(database, eventId, 'discarded', by, reason)) === 0) throw new NotOpen(eventId);
}

/** There is no such dead letter, or it was settled before. */
export class NotOpen extends Problem {
  constructor(eventId: string) {
    super('VALIDATION_FAILED', { message: `event ${eventId} is not among the open dead letters` });
  }
}

async function noteAttempt(database: Database, eventId: string, error: unknown): Promise<void> {
  await database.query(sql.type(z.object({}))`
    update dead_letter set attempts = attempts + 1, error = ${describeError(error).replaceAll('\0', '\ufffd')}
    where event_id = ${eventId} and settled_at is null`);
}

/** Answers how many were settled: one, or none. */
async function settle(
  tx: Pick<Database, 'query'>,
  eventId: string,
  as: 'retried' | 'discarded',
  by: string,
  reason: string | null,
): Promise<number> {
  const { rowCount } = await tx.query(sql.type(z.object({}))`
    update dead_letter set settled_at = clock_timestamp(), settled_as = ${as}, settled_by = ${by}, settled_reason = ${reason}
    where event_id = ${eventId} and settled_at is null`);
  return rowCount;
}

const DeadLetter = z.object({
  event_id: z.string(),
  type: z.string(),
  payload: z.string(),
  error: z.string(),
  attempts: z.number(),
  dead_lettered_at: z.string(),
  settled_at: z.string().nullable(),
  settled_as: z.enum(['retried', 'discarded']).nullable(),
  settled_by: z.string().nullable(),
  settled_reason: z.string().nullable(),
});
export type DeadLetter = z.output<typeof DeadLetter>;

const columns = sql.fragment`
  event_id, type, payload, error, attempts, ${instantOf(sql.fragment`dead_lettered_at`)} as dead_lettered_at, ${instantOf(sql.fragment`settled_at`)} as settled_at,
  settled_as, settled_by, settled_reason`;

export interface DeadLettersQuery {
  readonly event_id?: string | undefined;
  readonly type?: string | undefined;
  /** With those that were settled. */
  readonly settled: boolean;
  readonly after?: { readonly dead_lettered_at: string; readonly event_id: string } | undefined;
}

/** Dead letters, oldest first. */
export async function readDeadLetters(database: Database, wanted: DeadLettersQuery, limit: number): Promise<readonly DeadLetter[]> {
  return await database.any(sql.type(DeadLetter)`
    select ${columns} from dead_letter
    where (${wanted.settled} or settled_at is null)
      and (${wanted.event_id ?? null}::uuid is null or event_id = ${wanted.event_id ?? null}::uuid)
      and (${wanted.type ?? null}::text is null or type = ${wanted.type ?? null}::text)
      and (${wanted.after?.dead_lettered_at ?? null}::timestamptz is null
        or (dead_lettered_at, event_id) > (${wanted.after?.dead_lettered_at ?? null}::timestamptz, ${wanted.after?.event_id ?? null}::uuid))
    order by dead_lettered_at, event_id
    limit ${limit}`);
}
