import { hash } from 'node:crypto';
import { after } from '../async/clock.ts';
import { createSignal, type Signal } from '../async/waiting.ts';
import { crashPoint } from '../errors/crash-point.ts';
import { withLogFields } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import type { Delivery } from './delivery.ts';
import { consume } from './inbox.ts';
import { type ConsumeOptions, type IncomingEvent, logFieldsOf } from './incoming-event.ts';
import { processDelivery } from './process-delivery.ts';

/**
 * Processes deliveries: a few partitions at a time, the events of one aggregate one after another. `room` resolves when more may be pulled,
 * `finish` when all deliveries are processed or, once `stopped`, handed back to the broker.
 */
export interface Partitions {
  add(delivery: Delivery): void;
  isBusy(): boolean;
  room(): Promise<void>;
  finish(): Promise<void>;
}

export interface PartitionsState {
  lagging: boolean;
  processed: number;
}

export interface PartitionsOptions<Context> extends ConsumeOptions<Context> {
  /** True when the last consumer died with events unfinished. The first event of each partition may then have caused the crash. */
  readonly afterCrash: boolean;
}

// For each producer. Few, so that requests get the other connections.
const partitionCount = 2;
const batchSize = 50;
const waitingLimit = 512;
/**
 * For this long, events without a handler wait for one with a handler, to be recorded together: they have no effect that could be late, and
 * many a service handles few of a producer's events.
 */
const unhandledMs = 250;
const suspectDeliveries = 3;

interface Queued {
  readonly delivery: Delivery;
  readonly suspect: boolean;
}

interface Partition {
  readonly queue: Queued[];
  suspectsLeft: number;
  running: Promise<void> | null;
  readonly ready: Signal;
  readonly needed: Signal;
}

export function createPartitions<Context>(options: PartitionsOptions<Context>, stopped: AbortSignal, state: PartitionsState): Partitions {
  const { afterCrash, gatherMs, eventHandlers } = options;
  const handledTypes = new Set(Object.values(eventHandlers).map(({ event }) => event.type));
  const isNeeded = ({ delivery: { incoming } }: Queued) => !incoming || handledTypes.has(incoming.envelope.type);
  const partitions = Array.from(
    { length: partitionCount },
    (): Partition => ({
      queue: [],
      suspectsLeft: afterCrash ? batchSize : 0,
      running: null,
      ready: createSignal(),
      needed: createSignal(),
    }),
  );
  const endWaits = () => {
    for (const { ready, needed } of partitions) for (const signal of [ready, needed]) signal.raise();
  };
  stopped.addEventListener('abort', endWaits, { once: true });
  let waiting = 0;
  let roomListeners: (() => void)[] = [];

  async function processPartition(partition: Partition): Promise<void> {
    const { queue, ready, needed } = partition;
    while (queue.length > 0) {
      const untilNeeded = needed.arm();
      if (gatherMs !== 0 && queue.length < batchSize && !queue.some(isNeeded) && !stopped.aborted) await untilNeeded(unhandledMs);
      const batch = queue.splice(0, batchSize);
      const untilReady = ready.arm();
      if (stopped.aborted) for (const { delivery } of batch) delivery.respond('nak');
      // Events are not background work, unlike the rest of the consumer.
      else await withLogFields({ background: undefined }, () => processBatch(options, batch, queue, stopped));
      state.processed += batch.length;
      waiting -= batch.length;
      state.lagging = waiting >= waitingLimit;
      if (waiting < waitingLimit) {
        for (const listener of roomListeners) listener();
        roomListeners = [];
      }
      if (gatherMs && queue.length < batchSize && !stopped.aborted) await untilReady(gatherMs);
    }
    partition.running = null;
  }

  return {
    add(delivery) {
      const { incoming, subject, deliveries } = delivery;
      if (deliveries > 1) measure('corner.redeliveries', 1, { 'corner.event.type': incoming?.envelope.type ?? 'unreadable' });
      const partition = partitions[partitionOf(incoming?.envelope.subject ?? subject)] as Partition;
      const { queue, suspectsLeft, ready, needed } = partition;
      partition.suspectsLeft = Math.max(0, suspectsLeft - 1);
      const queued = { delivery, suspect: deliveries >= suspectDeliveries || suspectsLeft > 0 };
      queue.push(queued);
      waiting += 1;
      if (queue.length === batchSize) ready.raise();
      if (queue.length === batchSize || isNeeded(queued)) needed.raise();
      // Started in a microtask, so that deliveries which arrive together share a transaction.
      partition.running ??= Promise.resolve().then(() => processPartition(partition));
    },
    isBusy: () => waiting > 0,
    room: () => (waiting < waitingLimit ? Promise.resolve() : new Promise((resolve) => roomListeners.push(resolve))),
    finish: async () => {
      await Promise.all(partitions.map(({ running }) => running));
    },
  };
}

const partitionOf = (aggregate: string): number => (hash('md5', aggregate, 'buffer')[0] ?? 0) % partitionCount;

/** Processes a batch in one transaction, or one delivery at a time in order. Never throws, so one bad event does not affect the others. */
async function processBatch<Context>(
  options: ConsumeOptions<Context>,
  batch: readonly Queued[],
  queue: readonly Queued[],
  stopped: AbortSignal,
): Promise<void> {
  using _ = keepAlive([...batch, ...queue]);
  // A suspect is processed alone, and in its place: no later event of its aggregate overtakes it.
  if (batch.every(({ delivery, suspect }) => delivery.incoming && !suspect)) {
    const events = batch.map(({ delivery }) => delivery.incoming as IncomingEvent);
    try {
      await consume(options, events);
      crashPoint('consumer.before-ack');
      for (const { delivery } of batch) delivery.respond('ack');
      return;
    } catch (error) {
      const failed = events.map(logFieldsOf);
      options.log.warn({ err: error, events: batch.length, failed }, 'a batch of events failed: processing them one by one');
    }
  }
  for (const { delivery, suspect } of batch) await processDelivery(options, delivery, suspect, stopped);
}

/** Deliveries that wait behind those in progress need more time too. */
function keepAlive(queued: readonly Queued[]): Disposable {
  const beginTimer = (): Disposable =>
    after(1_500, () => {
      for (const { delivery } of queued) delivery.respond('working');
      timer = beginTimer();
    });
  let timer = beginTimer();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
