import { setTimeout as pause } from 'node:timers/promises';
import type { BrokerConnection } from '@corner/chassis/calls';
import type { Log } from '@corner/chassis/edge';
import { type Producer, producers } from '@corner/contracts';
import { findStream, readRange, sequenceSince } from '@corner/nats';
import type { JetStreamManager, StoredMsg, StreamInfo } from '@nats-io/jetstream';
import { z } from 'zod';
import { type ChangeMemory, maxKept } from './change-memory.ts';

const hourMs = 3_600_000;
/**
 * Milliseconds between two reads of a stream. Its messages are read directly: permission to create a consumer would allow sending them
 * anywhere.
 */
const againMs = 250;
const pageSize = 500;

const Seen = z.object({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  time: z.string(),
  storeid: z.string().optional(),
  customerid: z.string().optional(),
});

/**
 * Reads each producer's stream once for all browsers, from one hour ago, and adds the changes to the memory. It resumes after an outage of
 * the broker. Disposal stops the reading.
 */
export function readStreams({ connection, memory, log, now }: ReadStreamsOptions): AsyncDisposable {
  const stop = new AbortController();
  const reading = producers.map((producer) => readProducer(producer, { connection, memory, log, now, stopped: stop.signal }));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(reading);
    },
  };
}

async function readProducer(producer: Producer, options: ReadStreamsOptions & { readonly stopped: AbortSignal }): Promise<void> {
  const { connection, memory, log, now, stopped } = options;
  const from = new Date(now().getTime() - hourMs);
  let created: string | null = null;
  let next = 1;
  let faults = 0;
  const readOnce = async (): Promise<void> => {
    const { jsm, streamOf } = await connection.broker;
    const stream = streamOf(producer);
    const info = await findStream(jsm, stream);
    // The stream does not exist yet, so everything in it will be new.
    const last = info?.state.last_seq ?? 0;
    if (created === null) {
      next = info === null ? 1 : await firstToRead(jsm, info, from);
      memory.begin(producer, next);
    } else if (info !== null && (info.created !== created || next > last + 1)) {
      // Another stream of this name, or an older state of it.
      next = 1;
      memory.forget(producer);
    }
    created = info?.created ?? created ?? '';
    while (next <= last && !stopped.aborted) {
      const end = Math.min(next + pageSize - 1, last);
      for (const message of await readRange(jsm, stream, next, end)) add(message, producer, memory);
      next = end + 1;
    }
    memory.caughtUp(producer);
    if (faults > 0) log.info({ producer }, 'a stream can be read again');
    faults = 0;
  };
  while (!stopped.aborted) {
    try {
      await readOnce();
    } catch (error) {
      if (stopped.aborted) return;
      if (faults === 0) log.warn({ err: error, producer }, 'a stream cannot be read: pages learn of no changes until it can');
      faults += 1;
    }
    await pause(againMs, undefined, { signal: stopped }).catch(() => {});
  }
}

/** Returns a later sequence when the memory cannot keep all events since `from`. */
async function firstToRead(jsm: JetStreamManager, { config, state }: StreamInfo, from: Date): Promise<number> {
  return Math.max(await sequenceSince(jsm, config.name, from), state.last_seq - maxKept + 1);
}

function add(message: StoredMsg, producer: Producer, memory: ChangeMemory): void {
  const seen = seenIn(message);
  if (!seen) return;
  const { id, type, subject, time, storeid = null, customerid = null } = seen;
  const change = { producer, type, subject, event_id: id, store_id: storeid, customer_id: customerid, at: time };
  memory.add({ producer, sequence: message.seq, change });
}

function seenIn(message: StoredMsg): z.output<typeof Seen> | null {
  try {
    return Seen.parse(message.json());
  } catch {
    return null;
  }
}

interface ReadStreamsOptions {
  readonly connection: BrokerConnection;
  readonly memory: ChangeMemory;
  readonly log: Log;
  readonly now: () => Date;
}
