import { hash } from 'node:crypto';
import type { JsMsg } from '@nats-io/jetstream';
import { crashPoint } from '../errors/crash-point.ts';
import { measure } from '../telemetry/metrics.ts';
import { consume } from './inbox.ts';
import { type InboxOptions, type IncomingEvent, logFieldsOf, parseEnvelope } from './incoming-event.ts';
import { type Delivery, processDelivery, respond } from './process-delivery.ts';

/** Processes pulled messages: a few partitions at a time, the messages of one aggregate one after another. */
export interface Partitions {
  add(message: JsMsg): void;
  /** Marks events up to this stream sequence as suspect: they were in progress when the last consumer ended, so one may have crashed it. */
  suspectUntil(streamSequence: number): void;
  /** Whether messages are in progress. */
  isBusy(): boolean;
  /** Resolves when few enough messages wait that more may be pulled. */
  room(): Promise<void>;
  /** Resolves when messages in progress are finished and waiting ones are handed back to the broker. */
  finish(): Promise<void>;
}

export interface PartitionsState {
  /** True while the service consumes more slowly than the broker delivers. */
  lagging: boolean;
  /** Messages that are done with, whatever became of them. */
  processed: number;
}

// For each producer. Few, so that requests get the other connections.
const partitionCount = 2;
/** Messages that share a transaction. */
const batchSize = 50;
const waitingLimit = 512;

export function createPartitions<Context>(options: InboxOptions<Context>, stopped: AbortSignal, state: PartitionsState): Partitions {
  const queues: Delivery[][] = Array.from({ length: partitionCount }, () => []);
  const running: (Promise<void> | null)[] = queues.map(() => null);
  let suspectSequence = 0;
  let waiting = 0;
  let roomListeners: (() => void)[] = [];

  async function processPartition(partition: number): Promise<void> {
    const queue = queues[partition] ?? [];
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize);
      if (stopped.aborted) for (const { message } of batch) respond(message, 'nak');
      else await processBatch(options, batch, queue, stopped);
      state.processed += batch.length;
      waiting -= batch.length;
      state.lagging = waiting >= waitingLimit;
      if (waiting < waitingLimit) {
        for (const listener of roomListeners) listener();
        roomListeners = [];
      }
    }
    running[partition] = null;
  }

  return {
    add(message) {
      const incoming = parse(message);
      if (message.redelivered) measure('corner.redeliveries', 1, { 'corner.event.type': incoming?.envelope.type ?? 'unreadable' });
      const partition = partitionOf(incoming?.envelope.subject ?? message.subject);
      queues[partition]?.push({ message, incoming, suspect: message.info.deliveryCount >= 3 || message.seq <= suspectSequence });
      waiting += 1;
      // Started in a microtask, so that messages which arrive together share a transaction.
      running[partition] ??= Promise.resolve().then(() => processPartition(partition));
    },
    suspectUntil(streamSequence) {
      suspectSequence = streamSequence;
    },
    isBusy: () => running.some((work) => work !== null),
    room: () => (waiting < waitingLimit ? Promise.resolve() : new Promise((resolve) => roomListeners.push(resolve))),
    finish: async () => {
      await Promise.all(running);
    },
  };
}

const partitionOf = (aggregate: string): number => (hash('md5', aggregate, 'buffer')[0] ?? 0) % partitionCount;

/** Null when the message is not an event envelope. */
function parse(message: JsMsg): IncomingEvent | null {
  try {
    return { envelope: parseEnvelope(message.string()), redelivered: message.redelivered };
  } catch {
    return null;
  }
}

/** Processes a batch in one transaction, or one message at a time in order. Never throws, so one bad event does not affect the others. */
async function processBatch<Context>(
  options: InboxOptions<Context>,
  batch: readonly Delivery[],
  queue: readonly Delivery[],
  stopped: AbortSignal,
): Promise<void> {
  await using _ = keepAlive([...batch, ...queue]);
  // A suspect is processed alone, and in its place: no later event of its aggregate overtakes it.
  if (batch.every(({ incoming, suspect }) => incoming && !suspect)) {
    try {
      await consume(
        options,
        batch.map(({ incoming }) => incoming as IncomingEvent),
      );
      crashPoint('consumer.before-ack');
      for (const { message } of batch) respond(message, 'ack');
      return;
    } catch (error) {
      const failed = batch.map(({ incoming }) => logFieldsOf(incoming as IncomingEvent));
      options.log.warn({ err: error, events: batch.length, failed }, 'a batch of events failed: processing them one by one');
    }
  }
  for (const delivery of batch) await processDelivery(options, delivery, stopped);
}

/** Asks the broker for more time, for messages in progress and for those that wait behind them. */
function keepAlive(deliveries: readonly Delivery[]): AsyncDisposable {
  const timer = setInterval(() => {
    for (const { message } of deliveries) respond(message, 'working');
  }, 1_500);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
    },
  };
}
