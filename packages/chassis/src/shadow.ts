import { type Envelope, numbers, type Producer, type ServiceName, subjectsOf } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { elapsedMs, pause } from './async/clock.ts';
import { backoffMs } from './async/waiting.ts';
import type { Broker } from './broker/broker.ts';
import { retentionDays } from './broker/streams.ts';
import { ConfigFault } from './config.ts';
import type { Database } from './database/database.ts';
import { readCompleteness } from './inbox/position.ts';
import { differencesOf, type Published } from './shadow-differences.ts';
import type { Log } from './telemetry/log.ts';

export interface ShadowOptions {
  readonly service: ServiceName;
  readonly producers: readonly Producer[];
  readonly database: Database;
  readonly broker: Promise<Broker>;
  readonly log: Log;
  readonly now: () => Date;
  readonly stopped: AbortSignal;
}

const lookMs = 1_000;
const lineEveryMs = 60_000;
/** Only events older than the shadow's start by this are compared: the service that runs has processed them. */
const settledMs = 60_000;
/** The retention of published events, less an hour for those published about an old event. */
const keptMs = retentionDays * 86_400_000 - 3_600_000;
const shownAtMost = 100;

const Used = z.object({ is_used: z.boolean() });

/** Throws a {@link ConfigFault} when a service has published from this database: a shadow would process the events of the one that runs. */
export async function refuseUsedDatabase(database: Database): Promise<void> {
  const { is_used } = await database.one(sql.type(Used)`
    select epoch > 0 or last_number > 0 or exists (select from relay_incarnation) as is_used from relay_state`);
  if (is_used)
    throw new ConfigFault([
      'SHADOW: DATABASE_URL names a database that a service runs on; give the shadow an empty one that its migrations were run on',
    ]);
}

/**
 * Waits until a shadow has processed all events that its producers keep, and compares the events it would have published about each with
 * those of the service that runs. Logs each difference with both, and a sentence at the end. Returns the exit code: 0 when nothing differs.
 */
export async function compareWithReal(options: ShadowOptions): Promise<number> {
  const { database, service, log, now, stopped } = options;
  const broker = await options.broker;
  const [since, until] = [new Date(now().getTime() - keptMs), new Date(now().getTime() - settledMs)];
  for (let [faults, saidAt] = [0, Number.NEGATIVE_INFINITY]; ; faults += 1) {
    const waiting = await unread(options).catch((err: unknown) => ({ err }));
    if (Array.isArray(waiting) && waiting.length === 0) break;
    stopped.throwIfAborted();
    if (elapsedMs() - saidAt >= lineEveryMs) {
      log.info({ ...(Array.isArray(waiting) ? { waiting } : waiting) }, 'waiting until the events of these producers are processed');
      saidAt = elapsedMs();
    }
    await pause(Math.min(lookMs, backoffMs(faults)), stopped);
  }
  const [real, ours] = [await publishedByReal(broker, service, since), await publishedHere(database)];
  const differences: { readonly event: Caused; readonly real: readonly Published[]; readonly shadow: readonly Published[] }[] = [];
  const caused = await causesAmong(broker, options.producers, new Set([...real.keys(), ...ours.keys()]), since, until);
  const processed = new Set(
    await database.anyFirst(sql.type(z.object({ event_id: z.string() }))`
    select event_id from inbox where event_id = any(${sql.array([...caused.keys()], 'uuid')})`),
  );
  for (const [id, event] of caused) {
    if (!processed.has(id)) continue;
    const [theirs = [], own = []] = [real.get(id), ours.get(id)];
    if (differencesOf(theirs, own)) differences.push({ event, real: theirs, shadow: own });
  }
  for (const difference of differences.slice(0, shownAtMost)) log.warn(difference, 'the shadow differs');
  const events = processed.size;
  if (differences.length === 0) log.info({ events }, 'the shadow published the same about every event');
  else log.error({ events, differences: differences.length }, 'the shadow differs from the service that runs');
  return differences.length === 0 ? 0 : 1;
}

async function unread({ database, producers }: ShadowOptions) {
  const positions = new Map((await readCompleteness(database)).map((row) => [row.producer, row]));
  return producers.filter(numbers).flatMap((producer) => {
    const { complete_up_to = null, last = null, missing = 0 } = positions.get(producer) ?? {};
    const isRead = complete_up_to !== null && last !== null && missing === 0 && complete_up_to >= last;
    return isRead ? [] : [{ producer, complete_up_to, last, missing }];
  });
}

interface Caused {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
}

async function causesAmong(
  broker: Broker,
  producers: readonly Producer[],
  ids: ReadonlySet<string>,
  since: Date,
  until: Date,
): Promise<Map<string, Caused>> {
  const found = new Map<string, Caused>();
  for (const producer of producers)
    for await (const { id, type, subject, time } of storedSince(broker, producer, since))
      if (ids.has(id) && new Date(time) >= since && new Date(time) <= until) found.set(id, { id, type, subject, time });
  return found;
}

async function publishedByReal(broker: Broker, service: ServiceName, since: Date): Promise<Map<string, Published[]>> {
  const all = new Map<string, Published[]>();
  for await (const { causationid, type, subject, storeid, customerid, data } of storedSince(broker, service, since))
    if (causationid) add(all, causationid, { type, subject, storeid: storeid ?? null, customerid: customerid ?? null, data });
  return all;
}

const Row = z.object({
  cause: z.string(),
  type: z.string(),
  subject: z.string(),
  storeid: z.string().nullable(),
  customerid: z.string().nullable(),
  data: z.unknown(),
});

async function publishedHere(database: Database): Promise<Map<string, Published[]>> {
  const all = new Map<string, Published[]>();
  const rows = await database.any(sql.type(Row)`
    select causation_id as cause, type, aggregate_id as subject, store_id as storeid, customer_id as customerid, data
    from outbox where causation_id is not null order by id`);
  for (const { cause, ...published } of rows) add(all, cause, published);
  return all;
}

const add = (all: Map<string, Published[]>, cause: string, published: Published): void =>
  void all.set(cause, [...(all.get(cause) ?? []), published]);

async function* storedSince(broker: Broker, producer: Producer, since: Date): AsyncGenerator<Envelope> {
  const from = await broker.sequenceSince(producer, since);
  const { lastSequence } = await broker.lookAtStream(producer);
  for await (const message of broker.readStored(producer, { from, to: lastSequence, subject: broker.subject(subjectsOf(producer)) }))
    yield message.json<Envelope>();
}
