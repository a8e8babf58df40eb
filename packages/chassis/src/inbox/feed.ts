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

/**
 * Puts a producer's deliveries into the order of their numbers, and reads from the producer the events that the broker does not deliver.
 * Call `tend` after each pull: it reads the events missing before those delivered and those overdue from the broker, and returns how many
 * of the latter. Call `suspectLoss` when the broker was away: for a while, an empty pull is then followed by a request to the producer.
 */
export interface Feed {
  readonly partitions: Partitions;
  take(delivery: Delivery): void;
  tend(pull: PullOutcome): Promise<number>;
  suspectLoss(): void;
  isBehind(): boolean;
  close(): Promise<void>;
}

export type PullOutcome = 'events came' | 'nothing came' | 'nothing can come';

export interface FeedState {
  last: number | null;
  /** Events that were or will be requested from the producer, and have not arrived. */
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

/**
 * `askMs`: between two requests for the producer's last number, while nothing comes. `graceMs`: for the broker to deliver an event that the
 * producer has numbered. `suspectMs`: until a broker that was away, or did not deliver, is trusted again. `againMs`: before the next
 * request to a producer that did not reply.
 */
const askMs = 4_000;
const graceMs = 1_000;
const suspectMs = 15_000;
const againMs = 500;
const recordMs = 5_000;

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

  /** True when the broker may have stopped delivering, as it does when a consumer's position is beyond the end of its stream. */
  #isSuspect(): boolean {
    return elapsedMs() < this.#suspectUntil;
  }

  async #ask(pull: PullOutcome): Promise<void> {
    const everyMs = this.#behindSince === null && pull === 'nothing came' && !this.#isSuspect() ? askMs : graceMs;
    if (elapsedMs() - this.#repliedAt < everyMs || this.#isPaused()) return;
    const before = this.#repliedAt;
    this.#startReading();
    await this.#untilRead();
    if (this.#repliedAt === before) return;
    const isAhead = (this.#options.feedState.last ?? 0) >= (this.#progress.next ?? 1);
    this.#behindSince = isAhead ? (this.#behindSince ?? elapsedMs()) : null;
    this.#note();
  }

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
