import type { ConsumerInfo } from '@nats-io/jetstream';

/**
 * Milliseconds in which a consumer delivers nothing, although its stream answers and events wait, until it is made anew. Longer than a cluster takes
 * to elect a leader.
 */
const stuckMs = 20_000;

/** What is known of a consumer while this process pulls from it. */
export interface ConsumerProgress {
  /** Notes that events came, or that none waits. */
  well(): void;
  /** Notes that nothing came although events wait, or that the consumer does not answer. Returns whether that has lasted too long. */
  silent(): boolean;
  isStuck(): boolean;
  /** Notes how far the consumer is acknowledged. */
  acknowledged(info: ConsumerInfo): void;
  /** The sequence up to which everything was acknowledged in this stream, as last seen; null when it is not known, or the stream is another one. */
  floorIn(stream: { readonly created: string; readonly lastSequence: number }): number | null;
}

/** `afterMs` replaces the time until a silent consumer is stuck, in tests. */
export function consumerProgress(afterMs = stuckMs): ConsumerProgress {
  let silentSince: number | null = null;
  let floor: { readonly sequence: number; readonly at: string } | null = null;
  const isStuck = () => silentSince !== null && performance.now() - silentSince > afterMs;
  return {
    well() {
      silentSince = null;
    },
    silent() {
      silentSince ??= performance.now();
      return isStuck();
    },
    isStuck,
    acknowledged({ ack_floor, created }) {
      floor = { sequence: ack_floor.stream_seq, at: created };
    },
    // A stream that was created after the consumer is another one, with sequences of its own.
    floorIn: ({ created, lastSequence }) =>
      floor && Date.parse(created) <= Date.parse(floor.at) && floor.sequence <= lastSequence ? floor.sequence : null,
  };
}
