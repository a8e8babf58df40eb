import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import { sql } from 'slonik';
import { z } from 'zod';
import { backoffMs } from '../async/backoff.ts';
import { crashPoint } from '../errors/crash-point.ts';
import { isTransient } from '../errors/faults.ts';
import { measure } from '../telemetry/metrics.ts';
import { deadLetter } from './dead-letter-event.ts';
import { consume, type InboxOptions, type IncomingEvent, parseEnvelope } from './inbox.ts';

/** Where pulled messages are worked through: a few at a time, those of one aggregate one after another. */
export interface Partitions {
  add(message: JsMsg): void;
  /** Events up to this stream sequence were under way when their last reader ended: it may have been one of them that ended it. */
  suspectUntil(streamSequence: number): void;
  /** Resolves when few enough messages wait that more may be pulled. */
  room(): Promise<void>;
  /** Resolves when what was begun is done; what only waited is handed back to the broker. */
  finish(): Promise<void>;
  readonly state: { lagging: boolean; heard: number };
}

// Of each teller: few, so that events leave connections to requests.
const partitionCount = 2;
/** Messages that share a transaction. */
const batchSize = 50;
const waitingLimit = 512;
/** Failures of the work itself after which an event is set aside. Faults of the world do not count. */
const poisonAttempts = 5;
/** Deliveries whose work was begun and never ended, after which an event is taken to kill its reader. */
const unfinishedAttempts = 8;

interface Waiting {
  readonly message: JsMsg;
  readonly heard: IncomingEvent | null;
  /** Perhaps it kills its reader: worked through alone, with its beginnings counted. */
  readonly suspect: boolean;
}

export function createPartitions<Context>(options: InboxOptions<Context>, stopped: AbortSignal, state: Partitions['state']): Partitions {
  const queues: Waiting[][] = Array.from({ length: partitionCount }, () => []);
  const working: (Promise<void> | null)[] = queues.map(() => null);
  let suspects = 0;
  let waiting = 0;
  let roomWanted: (() => void)[] = [];

  async function processPartition(partition: number): Promise<void> {
    const queue = queues[partition] ?? [];
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
    working[partition] = null;
  }

  return {
    state,
    add(message) {
      const heard = parse(message);
      if (message.redelivered) measure('corner.redeliveries', 1, { 'corner.event.type': heard?.envelope.type ?? 'unreadable' });
      const partition = partitionOf(heard?.envelope.subject ?? message.subject);
      queues[partition]?.push({ message, heard, suspect: message.info.deliveryCount >= 3 || message.seq <= suspects });
      waiting += 1;
      // Begun in the next turn, so that messages which arrive together share a transaction.
      working[partition] ??= Promise.resolve().then(() => processPartition(partition));
    },
    suspectUntil(streamSequence) {
      suspects = streamSequence;
    },
    room: () => (waiting < waitingLimit ? Promise.resolve() : new Promise((resolve) => roomWanted.push(resolve))),
    finish: async () => {
      await Promise.all(working);
    },
  };
}

const partitionOf = (aggregate: string): number => (hash('md5', aggregate, 'buffer')[0] ?? 0) % partitionCount;

function parse(message: JsMsg): IncomingEvent | null {
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
  // In one transaction, or one by one in their order: a suspect is never overtaken by what was told after it.
  if (batch.every(({ heard, suspect }) => heard && !suspect)) {
    try {
      await consume(
        options,
        batch.map(({ heard }) => heard as IncomingEvent),
      );
      crashPoint('consumer.before-ack');
      for (const { message } of batch) said(message, 'ack');
      return;
    } catch (error) {
      options.log.warn({ err: error, events: batch.length }, 'a batch of events failed: working them through one by one');
    }
  }
  for (const waiting of batch) await workSingly(options, waiting, stopped);
}

async function workSingly<Context>(
  options: InboxOptions<Context>,
  { message, heard, suspect }: Waiting,
  stopped: AbortSignal,
): Promise<void> {
  let begun = false;
  for (let faults = 0, failures = 0; ; ) {
    // Handed back in good order, it killed nobody: only a beginning that nothing follows counts against it.
    if (stopped.aborted) {
      if (begun && heard) await forget(options, heard).catch(() => {});
      return said(message, 'nak');
    }
    try {
      if (!heard) await deadLetter(options, message, heard, new Error('not an event envelope'), 1);
      else if (!begun && suspect && (await begin(options, heard)) > unfinishedAttempts) {
        await deadLetter(options, message, heard, new Error('its work was begun several times and never ended'), unfinishedAttempts);
      } else {
        begun = suspect;
        await consume(options, [heard]);
        if (begun) await forget(options, heard);
      }
      return said(message, 'ack');
    } catch (error) {
      if (!isTransient(error) && ++failures >= poisonAttempts) {
        const buried = await deadLetter(options, message, heard, error, failures).then(
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

async function begin<Context>({ database }: InboxOptions<Context>, { envelope }: IncomingEvent): Promise<number> {
  return await database.oneFirst(sql.type(z.object({ attempts: z.number() }))`
    insert into delivery_attempt (event_id, attempts) values (${envelope.id}, 1)
    on conflict (event_id) do update set attempts = delivery_attempt.attempts + 1, last_at = clock_timestamp()
    returning attempts`);
}

async function forget<Context>({ database }: InboxOptions<Context>, { envelope }: IncomingEvent): Promise<void> {
  await database.query(sql.type(z.object({}))`delete from delivery_attempt where event_id = ${envelope.id}`);
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
