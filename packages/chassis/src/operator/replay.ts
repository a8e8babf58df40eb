import { Problem, type ReplayRange } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import { instantOf } from '../database/instant.ts';
import { describeError } from '../errors/describe-error.ts';
import { isTransient } from '../errors/faults.ts';
import { type InboxOptions, type IncomingEvent, react } from '../inbox/inbox.ts';

const none = z.object({});

export interface BegunReplay extends ReplayRange {
  readonly replay_id: string;
  readonly by: string;
  readonly counted: number;
}

/** Notes who replays what, before any of it. A repeat of the same replay changes nothing. Answers when it began. */
export async function noteReplay(database: Database, replay: BegunReplay): Promise<string> {
  await database.query(sql.type(none)`
    insert into replay (id, by, since, until, type, handler, counted)
    values (${replay.replay_id}, ${replay.by}, ${replay.since}, ${replay.until}, ${replay.type ?? null}, ${replay.to ?? null}, ${replay.counted})
    on conflict (id) do nothing`);
  return await database.oneFirst(sql.type(z.object({ begun_at: z.string() }))`
    select ${instantOf(sql.fragment`begun_at`)} as begun_at from replay where id = ${replay.replay_id}`);
}

const Range = z.object({ since: z.string(), until: z.string(), type: z.string().nullable(), to: z.string().nullable() });

/** The range of a replay that was noted. Throws VALIDATION_FAILED when there is none. */
export async function rangeOf(database: Database, replayId: string): Promise<ReplayRange> {
  const row = await database.maybeOne(sql.type(Range)`
    select ${instantOf(sql.fragment`since`)} as since, ${instantOf(sql.fragment`until`)} as until, type, handler as to
    from replay where id = ${replayId}`);
  if (!row) throw new Problem('VALIDATION_FAILED', { message: `no replay ${replayId} has begun here` });
  return { since: row.since, until: row.until, ...(row.type ? { type: row.type } : {}), ...(row.to ? { to: row.to } : {}) };
}

/**
 * Runs an event's reactions once more, or one of them: once in a replay, because the replay and the event's id stand in the
 * transaction of the effects. Whether a second effect follows from it is for the domain's own constraints to say. What was set
 * aside, or has not been heard for the first time, is left out: a retry and the stream bring those. Never throws for a fault
 * of the work; a fault of the world is thrown, and nothing has changed.
 */
export async function replayEvent<Context>(
  options: InboxOptions<Context>,
  replay: { readonly id: string; readonly to: string | undefined },
  heard: IncomingEvent,
): Promise<void> {
  const { id, type } = heard.envelope;
  try {
    await options.database.transaction(async (tx) => {
      const state = await tx.maybeOneFirst(sql.type(z.object({ state: z.string() }))`select state from inbox where event_id = ${id}`);
      const left = state === null ? 'not heard for the first time yet' : state === 'dead' ? 'a dead letter' : null;
      if (!(await enter(tx, replay.id, id, type, left))) return;
      if (left === null) await react(options, tx, heard, replay.to);
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    options.log.warn({ event_id: id, replay_id: replay.id, err: error }, 'a replayed event failed');
    await options.database.query(sql.type(none)`
      insert into replayed_event (replay_id, event_id, type, outcome, detail)
      values (${replay.id}, ${id}, ${type}, 'failed', ${describeError(error).replaceAll('\0', '\ufffd')})
      on conflict (replay_id, event_id) do nothing`);
  }
}

/** False when this replay has had the event before, and it did not fail. */
async function enter(tx: Transaction, replayId: string, eventId: string, type: string, left: string | null): Promise<boolean> {
  const { rowCount } = await tx.query(sql.type(none)`
    insert into replayed_event (replay_id, event_id, type, outcome, detail)
    values (${replayId}, ${eventId}, ${type}, ${left === null ? 'processed' : 'skipped'}, ${left})
    on conflict (replay_id, event_id) do update
    set outcome = excluded.outcome, detail = excluded.detail, at = clock_timestamp()
    where replayed_event.outcome = 'failed'`);
  return rowCount === 1;
}

const Tally = z.object({ processed: z.number(), skipped: z.number(), failed: z.number() });

/** What has come of a replay so far, by its own record; once `ended`, on the record of who replayed what too. */
export async function tallyOf(database: Database, replayId: string, ended: boolean): Promise<z.output<typeof Tally>> {
  const tally = await database.one(sql.type(Tally)`
    select count(*) filter (where outcome = 'processed') as processed, count(*) filter (where outcome = 'skipped') as skipped,
      count(*) filter (where outcome = 'failed') as failed
    from replayed_event where replay_id = ${replayId}`);
  if (ended)
    await database.query(sql.type(none)`
      update replay set ended_at = clock_timestamp(), processed = ${tally.processed}, skipped = ${tally.skipped}, failed = ${tally.failed}
      where id = ${replayId}`);
  return tally;
}

const Failure = z.object({ event_id: z.string(), type: z.string(), error: z.string() });

/** Which of these events failed in a replay, and why. */
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
