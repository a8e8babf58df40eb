import { Problem, type ReplayRange } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { instantOf, NoColumns } from '../database/columns.ts';
import type { Database, Transaction } from '../database/database.ts';
import { describeError } from '../errors/describe-error.ts';
import { isTransient } from '../errors/is-transient.ts';
import type { InboxOptions, IncomingEvent } from '../inbox/incoming-event.ts';
import { runEventHandlers } from '../inbox/run-event-handlers.ts';

export interface BegunReplay extends ReplayRange {
  readonly replay_id: string;
  readonly by: string;
  readonly counted: number;
}

/** Call it before the replay begins. A repeat with the same id changes nothing. Returns when the replay began. */
export async function recordReplay(database: Database, replay: BegunReplay): Promise<string> {
  await database.query(sql.type(NoColumns)`
    insert into replay (id, by, since, until, type, handler, counted)
    values (${replay.replay_id}, ${replay.by}, ${replay.since}, ${replay.until}, ${replay.type ?? null}, ${replay.to ?? null}, ${replay.counted})
    on conflict (id) do nothing`);
  return await database.oneFirst(sql.type(z.object({ begun_at: z.string() }))`
    select ${instantOf(sql.fragment`begun_at`)} as begun_at from replay where id = ${replay.replay_id}`);
}

const Range = z.object({ since: z.string(), until: z.string(), type: z.string().nullable(), to: z.string().nullable() });

/** Throws VALIDATION_FAILED for an unknown id. */
export async function rangeOf(database: Database, replayId: string): Promise<ReplayRange> {
  const row = await database.maybeOne(sql.type(Range)`
    select ${instantOf(sql.fragment`since`)} as since, ${instantOf(sql.fragment`until`)} as until, type, handler as to
    from replay where id = ${replayId}`);
  if (!row) throw new Problem('VALIDATION_FAILED', { message: `no replay ${replayId} has begun here` });
  return { since: row.since, until: row.until, ...(row.type ? { type: row.type } : {}), ...(row.to ? { to: row.to } : {}) };
}

/**
 * Runs an event's handlers again, or `replay.to`, once in a replay: the ids are recorded with the effects, and constraints prevent a second
 * effect. Skips dead letters and unprocessed events, which retry and stream deliver. Records a handler's failure; throws a transient fault,
 * with nothing changed.
 */
export async function replayEvent<Context>(
  options: InboxOptions<Context>,
  replay: { readonly id: string; readonly to: string | undefined },
  incoming: IncomingEvent,
): Promise<void> {
  const { id, type } = incoming.envelope;
  try {
    await options.database.transaction(async (tx) => {
      const state = await tx.maybeOneFirst(sql.type(z.object({ state: z.string() }))`select state from inbox where event_id = ${id}`);
      const skipped = state === null ? 'not processed for the first time yet' : state === 'dead' ? 'a dead letter' : null;
      if (!(await recordOnce(tx, replay.id, { id, type }, skipped))) return;
      if (skipped === null) await runEventHandlers(options, tx, [incoming], replay.to);
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    options.log.warn({ event_id: id, replay_id: replay.id, err: error }, 'a replayed event failed');
    await options.database.query(sql.type(NoColumns)`
      insert into replayed_event (replay_id, event_id, type, outcome, detail)
      values (${replay.id}, ${id}, ${type}, 'failed', ${describeError(error).replaceAll('\0', '\ufffd')})
      on conflict (replay_id, event_id) do nothing`);
  }
}

/** Returns false when this replay has the event already and it did not fail. */
async function recordOnce(
  tx: Transaction,
  replayId: string,
  event: { readonly id: string; readonly type: string },
  skipped: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql.type(NoColumns)`
    insert into replayed_event (replay_id, event_id, type, outcome, detail)
    values (${replayId}, ${event.id}, ${event.type}, ${skipped === null ? 'processed' : 'skipped'}, ${skipped})
    on conflict (replay_id, event_id) do update
    set outcome = excluded.outcome, detail = excluded.detail, at = clock_timestamp()
    where replayed_event.outcome = 'failed'`);
  return rowCount === 1;
}

const Tally = z.object({ processed: z.number(), skipped: z.number(), failed: z.number() });

export async function tallyOf(database: Database, replayId: string, ended: boolean): Promise<z.output<typeof Tally>> {
  const tally = await database.one(sql.type(Tally)`
    select count(*) filter (where outcome = 'processed') as processed, count(*) filter (where outcome = 'skipped') as skipped,
      count(*) filter (where outcome = 'failed') as failed
    from replayed_event where replay_id = ${replayId}`);
  if (ended)
    await database.query(sql.type(NoColumns)`
      update replay set ended_at = clock_timestamp(), processed = ${tally.processed}, skipped = ${tally.skipped}, failed = ${tally.failed}
      where id = ${replayId}`);
  return tally;
}

const Failure = z.object({ event_id: z.string(), type: z.string(), error: z.string() });

export async function failuresAmong(
  database: Database,
  replayId: string,
  eventIds: readonly string[],
): Promise<z.output<typeof Failure>[]> {
  const rows = await database.any(sql.type(Failure)`
    select event_id, type, coalesce(detail, '') as error from replayed_event
    where replay_id = ${replayId} and outcome = 'failed' and event_id = any(${sql.array([...eventIds], 'uuid')})`);
  return [...rows];
}
