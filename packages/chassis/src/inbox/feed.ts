import { type EventsRead, eventsRead, type ServiceName } from '@corner/contracts';
import { type Call, RpcUnavailable } from '../rpc/call.ts';
import { countRestore } from '../telemetry/restores.ts';
import { type Delivery, deliveryOfEvent, withNumber } from './delivery.ts';
import type { ConsumeOptions } from './incoming-event.ts';
import { placeIn } from './numbers.ts';
import { createPartitions, type Partitions, type PartitionsState } from './partitions.ts';
import { Progress } from './progress.ts';

/** Brings what the broker delivers of one producer into the order of its numbers, and reads what the broker does not deliver from the producer. */
export interface Feed {
  readonly partitions: Partitions;
  /** Passes a delivery on in its place: at once, or after the events before it. */
  take(delivery: Delivery): void;
  /**
   * Call it after each pull. Reads what is missing: events before those that were delivered at once, and events after them when the broker has not
   * delivered them for a second, or cannot. Returns how many of the latter were read.
   */
  tend(pull: PullOutcome): Promise<number>;
  /** Call it when the broker was away: for a while the producer is asked after each pull that brings nothing, and what is missing is read at once. */
  suspectLoss(): void;
  /** Whether something is missing, so that the next pull should be short. */
  isBehind(): boolean;
  /** Finishes what is in progress and records how far it came. */
  close(): Promise<void>;
}

/** What a pull brought; `nothing can come` when the broker has no consumer, or does not answer. */
export type PullOutcome = 'events came' | 'nothing came' | 'nothing can come';

/** How complete the events of one producer are, as this process knows it. */
export interface FeedState {
  last: number | null;
  /** Events that were asked of the producer, or will be, and have not come. */
  missing: number;
  missingSince: Date | null;
}

export interface FeedOptions<Context> extends ConsumeOptions<Context> {
  readonly producer: ServiceName;
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
/** Milliseconds until the producer is asked again after it has not replied. */
const againMs = 500;
/** Milliseconds between two records of the position. */
const recordMs = 5_000;

/** Takes up the feed of a producer's events where the last consumer left it. */
export async function openFeed<Context>(options: FeedOptions<Context>): Promise<Feed> {
  const { database, producer, lease, call, log, state, feedState, stopped } = options;
  const progress = await Progress.takeUp({ database, producer, lease });
  const partitions = createPartitions({ ...options, afterCrash: !progress.clean }, stopped, state);
  /** Deliveries that wait for earlier events, by their numbers. */
  const held = new Map<number, Delivery>();
  /** Deliveries of incarnations that are not known. */
  let strangers: Delivery[] = [];
  /** Deliveries that came while the producer was asked. */
  let waiting: Delivery[] = [];
  /** The highest number of a delivery that could not be read. */
  let damagedUpTo = 0;
  let reading: Promise<void> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let quietUntil = 0;
  let behindSince: number | null = null;
  let suspectUntil = 0;
  /** Whether the broker may deliver nothing of what it was sent, as a consumer that stands ahead of its stream does. */
  const isSuspect = () => performance.now() < suspectUntil;
  let recordedAt = performance.now();

  function pass(delivery: Delivery, number: number): void {
    partitions.add(withNumber(delivery, { producer, number }));
    progress.pass(number);
  }

  /** `asked` is true when the producer was asked for its incarnations after the delivery came. */
  function sort(delivery: Delivery, asked = false): void {
    const { place } = delivery;
    if (place === null) {
      partitions.add(delivery);
      return;
    }
    const known = progress.next === null ? 'unknown' : placeIn(progress.incarnations, place);
    if (known === 'unknown' && !asked) {
      strangers.push(delivery);
      startReading();
    } else if (known === 'forgotten' || (known === 'unknown' && asked)) {
      // The number is void. If the producer's database knows the event, it comes under another one, in its order.
      delivery.respond('ack');
    } else sortByNumber(delivery, place.number);
  }

  function sortByNumber(delivery: Delivery, number: number): void {
    if (progress.holds(number)) delivery.respond('ack');
    else if (!delivery.incoming) {
      // What the broker delivers is damaged. The producer has it as it was.
      delivery.respond('ack');
      damagedUpTo = Math.max(damagedUpTo, number);
      startReading();
    } else if (progress.next === null || number > progress.next) {
      held.set(number, delivery);
      startReading();
    } else pass(delivery, number);
    for (let next = progress.next ?? 0, follower = held.get(next); follower; next = progress.next ?? 0, follower = held.get(next)) {
      held.delete(next);
      pass(follower, next);
    }
  }

  function startReading(toEnd = false): void {
    if (reading !== null || performance.now() < quietUntil) return;
    let succeeded = false;
    reading = readMissing(toEnd)
      .then(
        () => {
          succeeded = true;
        },
        (error) => {
          quietUntil = performance.now() + againMs;
          if (!(error instanceof RpcUnavailable)) throw error;
        },
      )
      .catch((error) => {
        if (!stopped.aborted) log.warn({ err: error, producer }, 'missing events cannot be read from their producer: trying again');
      })
      .finally(() => {
        reading = null;
        const again = [...strangers, ...[...held].sort(([a], [b]) => a - b).map(([, delivery]) => delivery)];
        const came = waiting;
        [strangers, waiting] = [[], []];
        held.clear();
        for (const delivery of again) sort(delivery, succeeded);
        for (const delivery of came) sort(delivery);
        note();
      });
    note();
  }

  /** Reads from the producer what lies before the deliveries that are held, or everything it has. */
  async function readMissing(toEnd: boolean): Promise<void> {
    const firstHeld = Math.min(...held.keys());
    for (;;) {
      const from = progress.next ?? 1;
      const to = toEnd ? null : Math.max(held.size > 0 ? firstHeld - 1 : from - 1, damagedUpTo);
      const reply = await call(eventsRead(producer), { from, to });
      askedAt = performance.now();
      feedState.last = reply.last;
      if (await reconcile(reply)) continue;
      await passEvents(reply, from);
      if (reply.covered_to >= Math.min(to ?? reply.last, reply.last)) {
        damagedUpTo = 0;
        // The producer has not numbered as far as a message says: it is asked again after a pause.
        if (to !== null && to > reply.last) quietUntil = performance.now() + againMs;
        return;
      }
      await partitions.room();
      stopped.throwIfAborted();
    }
  }

  /** Adopts the incarnations that the producer knows. Returns whether the next number is another one by that. */
  async function reconcile({ incarnations, void_below, events, covered_to }: EventsRead): Promise<boolean> {
    if (progress.next === null) {
      // A new consumer begins with the first event that is kept.
      await progress.continueAt(events[0]?.number ?? covered_to + 1, incarnations);
      return true;
    }
    const end = progress.adopt(incarnations);
    if (end === null && progress.next >= void_below) return false;
    await settle();
    if (end === null) {
      await progress.continueAt(void_below, incarnations);
      return true;
    }
    // The producer's database was restored to an earlier moment: it knows nothing of the events above `end`, or gave them other numbers.
    const cut = await progress.cut(end, incarnations);
    if (cut > 0) countRestore('unknown_events');
    log.error(
      { producer, after_number: end, events: cut },
      'the producer has other events under these numbers: its database was restored to an earlier moment, or lost its newest records',
    );
    return true;
  }

  /** Finishes what is in progress, so that the position can be set. */
  async function settle(): Promise<void> {
    await partitions.finish();
    stopped.throwIfAborted();
    await record(false);
    if (!progress.isSettled) throw new Error('events are not in the inbox, although they were processed');
  }

  async function passEvents({ events, covered_to }: EventsRead, from: number): Promise<void> {
    let expected = from;
    for (const { number, envelope } of events) {
      if (number > expected) await passLost(expected, number - 1, String(envelope.time));
      expected = number + 1;
      if (number >= (progress.next ?? 0) && !progress.holds(number)) pass(deliveryOfEvent(producer, number, envelope), number);
    }
    if (expected <= covered_to) await passLost(expected, covered_to, null);
  }

  /** Names events that the outbox no longer keeps, and goes on behind them. `before` is the time of the event that follows them, if any. */
  async function passLost(from: number, to: number, before: string | null): Promise<void> {
    for (const range of progress.lacking(from, to)) {
      await settle();
      await progress.lose({ ...range, before });
      countRestore('lost_events');
      log.error({ producer, ...range, before }, 'events were never processed and their producer no longer keeps them: they are lost here');
    }
  }

  /** Notes how much is missing. */
  function note(): void {
    const { next } = progress;
    const firstHeld = Math.min(...held.keys());
    const missing =
      next === null ? 0 : held.size > 0 ? firstHeld - next : behindSince === null ? 0 : Math.max(0, (feedState.last ?? 0) - next + 1);
    feedState.missing = missing;
    if (missing === 0) feedState.missingSince = null;
    else feedState.missingSince ??= new Date();
  }

  async function record(clean: boolean): Promise<void> {
    recordedAt = performance.now();
    await progress.record(feedState, clean);
  }

  /** Asks how far the producer is, when it was not asked for a while: for a shorter one while the broker does not deliver. */
  async function ask(pull: PullOutcome): Promise<void> {
    const everyMs = behindSince === null && pull === 'nothing came' && !isSuspect() ? askMs : graceMs;
    if (performance.now() - askedAt < everyMs || performance.now() < quietUntil) return;
    const before = askedAt;
    startReading();
    await reading;
    // Without a reply nothing is known.
    if (askedAt === before) return;
    behindSince = (feedState.last ?? 0) >= (progress.next ?? 1) ? (behindSince ?? performance.now()) : null;
    note();
  }

  /** Reads what the broker has not delivered for so many milliseconds, and returns how many events that were. */
  async function readOverdue(afterMs: number): Promise<number> {
    if (behindSince === null || performance.now() - behindSince < afterMs || partitions.isBusy()) return 0;
    const before = progress.next ?? 1;
    startReading(true);
    await reading;
    const read = (progress.next ?? 1) - before;
    if (read > 0) log.warn({ producer, events: read }, 'the broker did not deliver these events: they were read from their producer');
    behindSince = null;
    note();
    return read;
  }

  return {
    partitions,
    take(delivery) {
      if (reading === null) sort(delivery);
      else waiting.push(delivery);
    },
    suspectLoss() {
      suspectUntil = performance.now() + suspectMs;
      askedAt = Number.NEGATIVE_INFINITY;
    },
    isBehind: () => behindSince !== null || held.size > 0 || strangers.length > 0 || isSuspect(),
    async tend(pull) {
      let read = 0;
      if (held.size > 0 || strangers.length > 0) startReading();
      else if (pull === 'events came') behindSince = null;
      else {
        await ask(pull);
        read = await readOverdue(pull === 'nothing can come' || isSuspect() ? 0 : graceMs);
        if (read > 0) suspectUntil = performance.now() + suspectMs;
      }
      if (performance.now() - recordedAt > recordMs) await record(false);
      return read;
    },
    async close() {
      await reading;
      await partitions.finish();
      await record(true);
    },
  };
}
