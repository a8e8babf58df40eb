import type { Change } from '@corner/console-api';
import { type Producer, producers } from '@corner/contracts';

/** In changes: the most kept of each producer, and the most sent to a browser that reconnects; after more it reads everything again. */
export const maxKept = 20_000;
const maxReplayed = 2_000;

export interface PlacedChange {
  readonly producer: Producer;
  readonly sequence: number;
  readonly change: Change;
}

export type Positions = Record<Producer, number>;

export interface Follower {
  changed(placed: PlacedChange): void;
  reset(): void;
}

/** The changes since an hour before the process started, 20,000 of each producer at most, and their followers. */
export interface ChangeMemory {
  add(placed: PlacedChange): void;
  begin(producer: Producer, first: number): void;
  /** Marks the initial backlog of a producer as loaded; `ready` resolves once that of every producer is. */
  caughtUp(producer: Producer): void;
  /** Drops the changes of a producer whose stream was created again: they belong to the old one. */
  forget(producer: Producer): void;
  readonly ready: Promise<void>;
  readonly isReady: boolean;
  readonly positions: Readonly<Positions>;
  /** Returns the changes after these positions; null when some of them are no longer held, or never were. */
  since(positions: Positions): readonly PlacedChange[] | null;
  follow(follower: Follower): Disposable;
}

export function createChangeMemory(): ChangeMemory {
  const kept = new Map<Producer, PlacedChange[]>(producers.map((producer) => [producer, []]));
  const first = new Map<Producer, number>();
  const present = new Set<Producer>();
  const positions = noPositions();
  const followers = new Set<Follower>();
  const { promise: ready, resolve } = Promise.withResolvers<void>();

  return {
    ready,
    get isReady() {
      return present.size === producers.length;
    },
    positions,
    begin(producer, from) {
      first.set(producer, from);
      positions[producer] = from - 1;
    },
    caughtUp(producer) {
      present.add(producer);
      if (present.size === producers.length) resolve();
    },
    add(placed) {
      const { producer, sequence } = placed;
      if (sequence <= positions[producer]) return;
      positions[producer] = sequence;
      const changes = kept.get(producer) ?? [];
      changes.push(placed);
      if (changes.length > maxKept) first.set(producer, (changes.splice(0, maxKept / 10).at(-1)?.sequence ?? 0) + 1);
      for (const follower of followers) follower.changed(placed);
    },
    forget(producer) {
      kept.set(producer, []);
      first.set(producer, 1);
      positions[producer] = 0;
      for (const follower of followers) follower.reset();
    },
    since(from) {
      const isHeld = (producer: Producer) => from[producer] >= (first.get(producer) ?? 0) - 1 && from[producer] <= positions[producer];
      if (!producers.every(isHeld)) return null;
      const after = producers.flatMap((producer) => afterSequence(kept.get(producer) ?? [], from[producer]));
      return after.length > maxReplayed ? null : after;
    },
    follow(follower) {
      followers.add(follower);
      return { [Symbol.dispose]: () => void followers.delete(follower) };
    },
  };
}

/** A browser misses few changes, so the search begins at the end. */
function afterSequence(changes: readonly PlacedChange[], sequence: number): readonly PlacedChange[] {
  const last = changes.findLastIndex((placed) => placed.sequence <= sequence);
  return changes.slice(last + 1);
}

export const noPositions = (): Positions => Object.fromEntries(producers.map((producer) => [producer, 0])) as Positions;

export const idOf = (positions: Readonly<Positions>): string => producers.map((producer) => positions[producer].toString(36)).join('.');

export function positionsIn(id: string): Positions | null {
  const parts = id.split('.');
  if (parts.length !== producers.length || !parts.every((part) => /^[0-9a-z]{1,10}$/.test(part))) return null;
  return Object.fromEntries(producers.map((producer, index) => [producer, Number.parseInt(parts[index] ?? '', 36)])) as Positions;
}
