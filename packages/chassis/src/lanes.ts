import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import { sql } from 'slonik';
import { z } from 'zod';
import { backoffMs } from './backoff.ts';
import { crashPoint } from './crash.ts';
import { bury } from './dead-letters.ts';
import { isTransient } from './faults.ts';
import { type Heard, hear, type InboxOptions, parseEnvelope } from './inbox.ts';

/** Where pulled messages are worked through: a few at a time, those of one aggregate one after another. */
export interface Lanes {
  add(message: JsMsg): void;
  /** Resolves when few enough messages wait that more may be pulled. */
  room(): Promise<void>;
  /** Resolves when what was begun is done; what only waited is handed back to the broker. */
  finish(): Promise<void>;
  readonly state: { lagging: boolean; heard: number };
}

const laneCount = 4;
/** Messages that share a transaction. */
const batchSize = 50;
const waitingLimit = 512;
/** Failures of the work itself after which an event is set aside. Faults of the world do not count. */
const poisonAttempts = 5;
/** Deliveries whose work was begun and never ended, after which an event is taken to kill its reader. */
const killerAttempts = 8;

interface Waiting {
  readonly message: JsMsg;
  readonly heard: Heard | null;
}

export function createLanes<Context>(options: InboxOptions<Context>, stopped: AbortSignal): Lanes {
  const queues: Waiting[][] = Array.from({ length: laneCount }, () => []);
  const working: (Promise<void> | null)[] = queues.map(() => null);
  const state = { lagging: false, heard: 0 };
  let waiting = 0;
  let roomWanted: (() => void)[] = [];

  async function workLane(lane: number): Promise<void> {
    const queue = queues[lane] ?? [];
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize);
      if (stopped.aborted) for (const { message } of batch) said(message, 'nak');
      else await workBatch(options, batch, queue, stopped);
      state.heard += batch.length;
      waiting -= batch.length;
      state.lagging = waiting >= waitingLimit;
      if (waiting < waitingLimit) {
        for (const go of roomWanted) go();
        roomWanted = [];
      }
    }
    working[lane] = null;
  }

  return {
    state,
    add(message) {
      const heard = parse(message);
      const lane = laneOf(heard?.envelope.subject ?? message.subject);
      queues[lane]?.push({ message, heard });
      waiting += 1;
      // Begun in the next turn, so that messages which arrive together share a transaction.
      working[lane] ??= Promise.resolve().then(() => workLane(lane));
    },
    room: () => (waiting < waitingLimit ? Promise.resolve() : new Promise((resolve) => roomWanted.push(resolve))),
    finish: async () => {
      await Promise.all(working);
    },
  };
}

const laneOf = (aggregate: string): number => (createHash('md5').update(aggregate).digest()[0] ?? 0) % laneCount;

function parse(message: JsMsg): Heard | null {
  try {
    return { envelope: parseEnvelope(message.string()), redelivered: message.redelivered };
  } catch {
    return null;
  }
}

/** Never throws: a batch that fails is worked through singly, so that one bad event costs the others nothing. */
async function workBatch<Context>(
  options: InboxOptions<Context>,
  batch: readonly Waiting[],
  queue: readonly Waiting[],
  stopped: AbortSignal,
): Promise<void> {
  await using _ = keepAlive([...batch, ...queue]);
  const plain = batch.filter(({ heard, message }) => heard && message.info.deliveryCount < 3);
  try {
    if (plain.length > 0)
      await hear(
        options,
        plain.map(({ heard }) => heard as Heard),
      );
    crashPoint('listen.before-ack');
    for (const { message } of plain) said(message, 'ack');
  } catch (error) {
    options.log.warn({ err: error, events: plain.length }, 'a batch of events failed: working them through one by one');
    for (const waiting of plain) await workSingly(options, waiting, stopped);
  }
  for (const waiting of batch) if (!plain.includes(waiting)) await workSingly(options, waiting, stopped);
}

async function workSingly<Context>(options: InboxOptions<Context>, { message, heard }: Waiting, stopped: AbortSignal): Promise<void> {
  let begun = false;
  for (let faults = 0, failures = 0; ; ) {
    // Handed back in good order, it killed nobody: only a beginning that nothing follows counts against it.
    if (stopped.aborted) {
      if (begun && heard) await forget(options, heard).catch(() => {});
      return said(message, 'nak');
    }
    try {
      if (!heard) await setAside(options, message, heard, new Error('not an event envelope'), 1);
      else if (!begun && message.info.deliveryCount >= 3 && (await begin(options, heard)) > killerAttempts) {
        await setAside(options, message, heard, new Error('its work was begun several times and never ended'), killerAttempts);
      } else {
        begun = message.info.deliveryCount >= 3;
        await hear(options, [heard]);
        if (begun) await forget(options, heard);
      }
      return said(message, 'ack');
    } catch (error) {
      if (!isTransient(error) && ++failures >= poisonAttempts) {
        const buried = await setAside(options, message, heard, error, failures).then(
          () => true,
          () => false,
        );
        if (buried) return said(message, 'ack');
      }
      options.log.warn({ err: error, subject: message.subject }, 'an event failed: trying it again');
      said(message, 'working');
      await pause(backoffMs(faults++), undefined, { signal: stopped }).catch(() => {});
    }
  }
}

async function begin<Context>({ database }: InboxOptions<Context>, { envelope }: Heard): Promise<number> {
  return await database.oneFirst(sql.type(z.object({ attempts: z.number() }))`
    insert into delivery_attempt (event_id, attempts) values (${envelope.id}, 1)
    on conflict (event_id) do update set attempts = delivery_attempt.attempts + 1, last_at = clock_timestamp()
    returning attempts`);
}

async function forget<Context>({ database }: InboxOptions<Context>, { envelope }: Heard): Promise<void> {
  await database.query(sql.type(z.object({}))`delete from delivery_attempt where event_id = ${envelope.id}`);
}

async function setAside<Context>(
  { database, log }: InboxOptions<Context>,
  message: JsMsg,
  heard: Heard | null,
  error: unknown,
  attempts: number,
): Promise<void> {
  const eventId = heard?.envelope.id ?? idOf(message);
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  await bury(database, {
    eventId,
    type: heard?.envelope.type ?? 'unreadable',
    subject: message.subject,
    payload: message.string(),
    error: reason,
    attempts,
  });
  log.error({ event_id: eventId, type: heard?.envelope.type, attempts, err: error }, 'an event was set aside as a dead letter');
}

/** A message without a readable envelope still needs one identity however often it comes: its place in the stream. */
function idOf(message: JsMsg): string {
  const hex = createHash('sha256').update(`${message.info.stream}:${message.seq}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Tells the broker what became of a message. When it cannot be told, it delivers again, and the inbox knows the event. */
function said(message: JsMsg, word: 'ack' | 'nak' | 'working'): void {
  try {
    message[word]();
  } catch {}
}

/** Asks the broker for more time, for what is being worked on and what waits behind it. */
function keepAlive(messages: readonly Waiting[]): AsyncDisposable {
  const timer = setInterval(() => {
    for (const { message } of messages) said(message, 'working');
  }, 1_500);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
    },
  };
}
