import type { ServiceName } from '@corner/contracts';
import { type Delivery, type Place, withNumber } from './delivery.ts';
import { placeIn } from './numbers.ts';
import type { Partitions } from './partitions.ts';
import type { Progress } from './progress.ts';

/**
 * Passes on the deliveries of one producer in the order of their numbers. `#held` wait for earlier numbers, `#strangers` for their
 * incarnation to become known. `#damagedUpTo` is the highest number of an unreadable delivery.
 */
export class OrderedDeliveries {
  readonly #options: OrderOptions;
  readonly #held = new Map<number, Delivery>();
  #strangers: Delivery[] = [];
  #damagedUpTo = 0;

  constructor(options: OrderOptions) {
    this.#options = options;
  }

  get firstHeld(): number | null {
    return this.#held.size > 0 ? Math.min(...this.#held.keys()) : null;
  }

  get isWaiting(): boolean {
    return this.#held.size > 0 || this.#strangers.length > 0;
  }

  /** Returns the number up to which the producer has to be read, from `next` on; below `next` when nothing is known to be missing. */
  missingUpTo(next: number): number {
    return Math.max((this.firstHeld ?? next) - 1, this.#damagedUpTo);
  }

  /** `asked`: the producer was asked for its incarnations after the delivery came. */
  take(delivery: Delivery, asked = false): void {
    const { place } = delivery;
    if (place === null) {
      if (delivery.isOurs) this.#options.partitions.add(delivery);
      else delivery.respond('ack');
      return;
    }
    const known = this.#placeOf(place);
    if (known === 'known') this.#sortByNumber(delivery, place.number);
    else if (known === 'unknown' && !asked) {
      this.#strangers.push(delivery);
      this.#options.onMissing();
    } else {
      // The number is void. If the producer's database knows the event, it comes under another number, in order.
      delivery.respond('ack');
    }
  }

  pass(delivery: Delivery, number: number): void {
    const { partitions, progress, producer } = this.#options;
    if (delivery.isOurs) partitions.add(withNumber(delivery, { producer, number }));
    else delivery.respond('ack');
    progress.pass(number, delivery.isOurs);
  }

  takeAgain(asked: boolean): void {
    const again = [...this.#strangers, ...[...this.#held].sort(([a], [b]) => a - b).map(([, delivery]) => delivery)];
    this.#strangers = [];
    this.#held.clear();
    for (const delivery of again) this.take(delivery, asked);
  }

  noteRead(): void {
    this.#damagedUpTo = 0;
  }

  #placeOf(place: Place): ReturnType<typeof placeIn> {
    const { progress } = this.#options;
    return progress.next === null ? 'unknown' : placeIn(progress.incarnations, place);
  }

  #sortByNumber(delivery: Delivery, number: number): void {
    const { progress, onMissing } = this.#options;
    if (progress.holds(number)) delivery.respond('ack');
    else if (delivery.isOurs && !delivery.incoming) {
      // The broker's copy is damaged; the producer has the original.
      delivery.respond('ack');
      this.#damagedUpTo = Math.max(this.#damagedUpTo, number);
      onMissing();
    } else if (progress.next === null || number > progress.next) {
      this.#held.set(number, delivery);
      onMissing();
    } else this.pass(delivery, number);
    this.#passFollowers();
  }

  #passFollowers(): void {
    const { progress } = this.#options;
    for (let next = progress.next ?? 0; ; next = progress.next ?? 0) {
      const follower = this.#held.get(next);
      if (!follower) return;
      this.#held.delete(next);
      this.pass(follower, next);
    }
  }
}

interface OrderOptions {
  readonly producer: ServiceName;
  readonly progress: Progress;
  readonly partitions: Partitions;
  readonly onMissing: () => void;
}
