import { type EventsRead, eventsRead, type ServiceName } from '@corner/contracts';
import type { Call } from '../rpc/call.ts';
import type { Log } from '../telemetry/log.ts';
import { countRestore } from '../telemetry/restores.ts';
import { type Delivery, deliveryOfEvent } from './delivery.ts';
import type { Partitions } from './partitions.ts';
import type { Part } from './parts.ts';
import type { Progress } from './progress.ts';

export class MissingEvents {
  readonly #options: MissingEventsOptions;

  constructor(options: MissingEventsOptions) {
    this.#options = options;
  }

  /**
   * Reads and passes on the events from the next number to `upTo(next)`; null reads all. Returns false when the producer is not that far.
   */
  async read(upTo: (next: number) => number | null): Promise<boolean> {
    const { producer, progress, partitions, call, stopped, onReply } = this.#options;
    for (;;) {
      const from = progress.next ?? 1;
      const to = upTo(from);
      const reply = await call(eventsRead(producer), { from, to });
      onReply(reply);
      if (await this.#reconcile(reply)) continue;
      await this.#passEvents(reply, from);
      if (reply.covered_to >= Math.min(to ?? reply.last, reply.last)) return to === null || to <= reply.last;
      await partitions.room();
      stopped.throwIfAborted();
    }
  }

  async #reconcile({ incarnations, void_below, events, covered_to, last }: EventsRead): Promise<boolean> {
    const { producer, progress, log, record } = this.#options;
    if (progress.next === null) {
      // A new consumer begins with the first event that is kept.
      await progress.continueAt(events[0]?.number ?? covered_to + 1, { incarnations, last });
      return true;
    }
    const before = progress.incarnations.at(-1)?.id;
    const end = progress.adopt(incarnations);
    // Recorded before any event of a new incarnation is processed, so that the next consumer can interpret the numbers in the inbox.
    if (end === null && progress.incarnations.at(-1)?.id !== before) await record();
    if (end === null && progress.next >= void_below) return false;
    await this.#settle();
    if (end === null) {
      await progress.continueAt(void_below, { incarnations, last });
      return true;
    }
    // The producer's database was restored to an earlier moment: events above `end` are gone there, or have other numbers.
    const cut = await progress.cut(end, incarnations);
    if (cut > 0) countRestore('unknown_events');
    log.error(
      { producer, after_number: end, events: cut },
      'the producer has other events under these numbers: its database was restored to an earlier moment, or lost its newest records',
    );
    return true;
  }

  async #settle(): Promise<void> {
    const { partitions, stopped, record, progress } = this.#options;
    await partitions.finish();
    stopped.throwIfAborted();
    await record();
    if (!progress.isSettled) throw new Error('events are not in the inbox, although they were processed');
  }

  async #passEvents({ events, covered_to }: EventsRead, from: number): Promise<void> {
    const { producer, progress, pass, part } = this.#options;
    let expected = from;
    for (const { number, envelope } of events) {
      if (number > expected) await this.#passLost(expected, number - 1, String(envelope.time));
      expected = number + 1;
      if (number >= (progress.next ?? 0) && !progress.holds(number)) pass(deliveryOfEvent(producer, number, envelope, part), number);
    }
    if (expected <= covered_to) await this.#passLost(expected, covered_to, null);
  }

  /**
   * Records events that the outbox no longer keeps as lost, and continues after them. `before` is the time of the event that follows them,
   * if any.
   */
  async #passLost(from: number, to: number, before: string | null): Promise<void> {
    const { producer, progress, log } = this.#options;
    for (const range of progress.lacking(from, to)) {
      await this.#settle();
      await progress.lose({ ...range, before });
      countRestore('lost_events');
      log.error({ producer, ...range, before }, 'events were never processed and their producer no longer keeps them: they are lost here');
    }
  }
}

interface MissingEventsOptions {
  readonly producer: ServiceName;
  readonly part: Part;
  readonly progress: Progress;
  readonly partitions: Partitions;
  readonly call: Call;
  readonly log: Log;
  readonly stopped: AbortSignal;
  readonly pass: (delivery: Delivery, number: number) => void;
  readonly record: () => Promise<void>;
  readonly onReply: (reply: EventsRead) => void;
}
