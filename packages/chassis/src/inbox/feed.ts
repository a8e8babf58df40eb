import type { EventsRead, ServiceName } from '@corner/contracts';
import { elapsedMs } from '../async/clock.ts';
import { type Call, RpcUnavailable } from '../rpc/call.ts';
import type { Delivery } from './delivery.ts';
import type { ConsumeOptions } from './incoming-event.ts';
import { MissingEvents } from './missing-events.ts';
import { OrderedDeliveries } from './ordered-deliveries.ts';
import { createPartitions, type Partitions, type PartitionsState } from './partitions.ts';
import type { Part } from './parts.ts';
import { Progress } from './progress.ts';

/** Brings what the broker delivers of one producer into the order of its numbers, and reads what the broker does not deliver from the producer. */
export interface Feed {
  readonly partitions: Partitions;
  take(delivery: Delivery): void;
  /**
   * Call it after each pull. Reads events missing before those delivered, and those the broker has not delivered for a second. Returns how
   * many of the latter.
   */
  tend(pull: PullOutcome): Promise<number>;
  /** Call it when the broker was away: for a while, an empty pull is followed by asking the producer. */
  suspectLoss(): void;
  isBehind(): boolean;
  close(): Promise<void>;
}

/** The outcome of a pull; `nothing can come` when the broker has no consumer, or does not reply. */
export type PullOutcome = 'events came' | 'nothing came' | 'nothing can come';

/** How complete the events of one producer are, as this process knows it. */
export interface FeedState {
  last: number | null;
  /** Events that were requested from the producer, or will be, and have not arrived. */
  missing: number;
  missingSince: Date | null;
}

export interface FeedOptions<Context> extends ConsumeOptions<Context> {
  readonly producer: ServiceName;
  readonly part: Part;
  readonly call: Call;
  readonly state: PartitionsState;
  readonly feedState: FeedState;
  readonly stopped: AbortSignal;
}

/** Milliseconds between two questions how far the producer is, while nothing comes. */
const askMs = 4_000;
/** Milliseconds in which the broker may deliver an event that the producer has numbered. */
const graceMs = 1_000;
/** Milliseconds after which a broker that was away, or that did not deliver, is trusted to deliver again. */
const suspectMs = 15_000;
/** Milliseconds until the producer is called again after it has not replied. */
const againMs = 500;
const recordMs = 5_000;

/** Takes up the feed of a producer's events where the last consumer left it. */
export async function openFeed<Context>(options: FeedOptions<Context>): Promise<Feed> {
  const { database, producer, lease, part, state, stopped } = options;
  const progress = await Progress.takeUp({ database, producer, lease, part });
  return new ProducerFeed(options, progress, createPartitions({ ...options, afterCrash: !progress.clean }, stopped, state));
}

type Reading =
  | { readonly state: 'idle' }
  | { readonly state: 'reading'; readonly done: Promise<void> }
  /** The producer did not reply, or has numbered fewer events than a message claims. It is read again after a pause. */
  | { readonly state: 'paused'; readonly until: number };

class ProducerFeed<Context> implements Feed {
  readonly partitions: Partitions;
  readonly #options: FeedOptions<Context>;
  readonly #progress: Progress;
  readonly #ordered: OrderedDeliveries;
  readonly #missing: MissingEvents;
  #waiting: Delivery[] = [];
  #reading: Reading = { state: 'idle' };
  #repliedAt = Number.NEGATIVE_INFINITY;
  /** Since when the producer is known to be ahead of what came; null while it is not. */
  #behindSince: number | null = null;
  #suspectUntil = 0;
  #recordedAt = elapsedMs();

  constructor(options: FeedOptions<Context>, progress: Progress, partitions: Partitions) {
    this.partitions = partitions;
    this.#options = options;
    this.#progress = progress;
    this.#ordered = new OrderedDeliveries({ ...options, progress, partitions, onMissing: () => this.#startReading() });
    this.#missing = new MissingEvents({
      ...options,
      progress,
      partitions,
      pass: (delivery, number) => this.#ordered.pass(delivery, number),
      record: () => this.#record(false),
      onReply: (reply) => this.#noteReply(reply),
    });
  }

  take(delivery: Delivery): void {
    if (this.#reading.state === 'reading') this.#waiting.push(delivery);
    else this.#ordered.take(delivery);
  }

  async tend(pull: PullOutcome): Promise<number> {
    let read = 0;
    if (this.#ordered.isWaiting) this.#startReading();
    else if (pull === 'events came') {
      this.#behindSince = null;
      this.#note();
    } else {
      await this.#ask(pull);
      read = await this.#readOverdue(pull === 'nothing can come' || this.#isSuspect() ? 0 : graceMs);
      if (read > 0) this.#suspectUntil = elapsedMs() + suspectMs;
    }
    if (elapsedMs() - this.#recordedAt > recordMs) await this.#record(false);
    return read;
  }

  suspectLoss(): void {
    this.#suspectUntil = elapsedMs() + suspectMs;
    this.#repliedAt = Number.NEGATIVE_INFINITY;
  }

  isBehind(): boolean {
    return this.#behindSince !== null || this.#ordered.isWaiting || this.#isSuspect();
  }

  async close(): Promise<void> {
    await this.#untilRead();
    await this.partitions.finish();
    await this.#record(true);
  }

  /** Whether the broker may have stopped delivering. It does when a consumer's position is beyond the end of its stream. */
  #isSuspect(): boolean {
    return elapsedMs() < this.#suspectUntil;
  }

  async #ask(pull: PullOutcome): Promise<void> {
    const everyMs = this.#behindSince === null && pull === 'nothing came' && !this.#isSuspect() ? askMs : graceMs;
    if (elapsedMs() - this.#repliedAt < everyMs || this.#isPaused()) return;
    const before = this.#repliedAt;
    this.#startReading();
    await this.#untilRead();
    // Without a reply nothing is known.
    if (this.#repliedAt === before) return;
    const isAhead = (this.#options.feedState.last ?? 0) >= (this.#progress.next ?? 1);
    this.#behindSince = isAhead ? (this.#behindSince ?? elapsedMs()) : null;
    this.#note();
  }

  /** Reads what the broker has not delivered for so many milliseconds, and returns how many events that were. */
  async #readOverdue(afterMs: number): Promise<number> {
    if (this.#behindSince === null || elapsedMs() - this.#behindSince < afterMs || this.partitions.isBusy()) return 0;
    const { producer, log } = this.#options;
    const before = this.#progress.next ?? 1;
    this.#startReading({ toEnd: true });
    await this.#untilRead();
    const read = (this.#progress.next ?? 1) - before;
    if (read > 0) log.warn({ producer, events: read }, 'the broker did not deliver these events: they were read from their producer');
    this.#behindSince = null;
    this.#note();
    return read;
  }

  /** Reads what the deliveries that wait need, or everything the producer has, unless that is being done. */
  #startReading({ toEnd = false } = {}): void {
    if (this.#reading.state === 'reading' || this.#isPaused()) return;
    this.#reading = { state: 'reading', done: this.#read(toEnd) };
    this.#note();
  }

  async #read(toEnd: boolean): Promise<void> {
    const { producer, log, stopped } = this.#options;
    let after: 'read' | 'not numbered' | 'failed' = 'failed';
    try {
      const isNumbered = await this.#missing.read((next) => (toEnd ? null : this.#ordered.missingUpTo(next)));
      this.#ordered.noteRead();
      after = isNumbered ? 'read' : 'not numbered';
    } catch (error) {
      const isWorthALine = !(error instanceof RpcUnavailable) && !stopped.aborted;
      if (isWorthALine) log.warn({ err: error, producer }, 'missing events cannot be read from their producer: trying again');
    }
    this.#reading = after === 'read' ? { state: 'idle' } : { state: 'paused', until: elapsedMs() + againMs };
    const came = this.#waiting;
    this.#waiting = [];
    this.#ordered.takeAgain(after !== 'failed');
    for (const delivery of came) this.#ordered.take(delivery);
    this.#note();
  }

  #isPaused(): boolean {
    return this.#reading.state === 'paused' && elapsedMs() < this.#reading.until;
  }

  async #untilRead(): Promise<void> {
    if (this.#reading.state === 'reading') await this.#reading.done;
  }

  #noteReply({ last }: EventsRead): void {
    this.#repliedAt = elapsedMs();
    this.#options.feedState.last = last;
  }

  #note(): void {
    const { feedState } = this.#options;
    feedState.missing = this.#countMissing();
    if (feedState.missing === 0) feedState.missingSince = null;
    else feedState.missingSince ??= new Date();
  }

  #countMissing(): number {
    const { next } = this.#progress;
    if (next === null) return 0;
    const { firstHeld } = this.#ordered;
    if (firstHeld !== null) return firstHeld - next;
    return this.#behindSince === null ? 0 : Math.max(0, (this.#options.feedState.last ?? 0) - next + 1);
  }

  async #record(clean: boolean): Promise<void> {
    this.#recordedAt = elapsedMs();
    await this.#progress.record(this.#options.feedState, clean);
  }
}
