import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, BrokerConnection, Log } from '@corner/chassis/asking';
import { type Producer, producers } from '@corner/contracts';
import { type ConsumerMessages, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import type { ChangeMemory } from './change-memory.ts';

const hourMs = 3_600_000;
/** Milliseconds before a stream that is missing or cannot be read is tried again. */
const againMs = 500;

/** What is read of an envelope. Its data stays where it is. */
const Seen = z.object({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  time: z.string(),
  storeid: z.string().optional(),
  customerid: z.string().optional(),
});

/**
 * Reads each producer's stream once for all browsers, from one hour ago, and puts what changed into the memory. It goes on by itself when the
 * broker was away. Disposal stops the reading.
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
  let isBegun = false;
  let faults = 0;
  const readOnce = async (): Promise<void> => {
    const broker = await connection.broker;
    const last = await lastOf(broker, producer);
    // A stream that does not exist yet: all that it will hold is new.
    if (!isBegun) memory.begin(producer, last === null ? 1 : await firstSince(broker, producer, { from, last }));
    isBegun = true;
    if (last === null) return memory.caughtUp(producer);
    if (memory.positions[producer] > last) memory.forget(producer);
    const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: memory.positions[producer] + 1 };
    const consumer = await broker.js.consumers.get(broker.streamOf(producer), start);
    if ((await consumer.info(true)).num_pending === 0) memory.caughtUp(producer);
    // When the consumer or the stream is gone, as after a restart of the broker, the reading begins again here and sees what is left.
    const messages = await consumer.consume({ abort_on_missing_resource: true });
    if (faults > 0) log.info({ producer }, 'a stream can be read again');
    faults = 0;
    await readMessages(messages, producer, memory, stopped);
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

/**
 * Returns the place of the first event since an instant. The consumer that counts them is not read: one that was lost is made again from a place,
 * and the server refuses one that names a place and a time.
 */
async function firstSince({ js, streamOf }: Broker, producer: Producer, { from, last }: { from: Date; last: number }): Promise<number> {
  const start = { deliver_policy: DeliverPolicy.StartTime, opt_start_time: from.toISOString() };
  const consumer = await js.consumers.get(streamOf(producer), start);
  const { num_pending } = await consumer.info(true);
  await consumer.delete().catch(() => false); // The server deletes it later by itself.
  return last - num_pending + 1;
}

/** The last place in the stream of a producer; null when it does not exist. */
async function lastOf({ jsm, streamOf }: Broker, producer: Producer): Promise<number | null> {
  try {
    return (await jsm.streams.info(streamOf(producer))).state.last_seq;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 10_059) return null; // "stream not found"
    throw error;
  }
}

async function readMessages(messages: ConsumerMessages, producer: Producer, memory: ChangeMemory, stopped: AbortSignal): Promise<void> {
  const end = () => messages.stop();
  stopped.addEventListener('abort', end, { once: true });
  try {
    for await (const message of messages) {
      const seen = seenIn(message);
      if (seen) {
        const { id, type, subject, time, storeid = null, customerid = null } = seen;
        const change = { producer, type, subject, event_id: id, store_id: storeid, customer_id: customerid, at: time };
        memory.add({ producer, sequence: message.seq, change });
      }
      if (message.info.pending === 0) memory.caughtUp(producer);
    }
  } finally {
    stopped.removeEventListener('abort', end);
  }
}

/** What a message says; null when it is no event, which no producer publishes. */
function seenIn(message: JsMsg): z.output<typeof Seen> | null {
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
