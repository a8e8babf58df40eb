/** Milliseconds without progress after which something is said to be stuck. */
const stuckMs = 60_000;

interface Relay {
  /** Null when it is not known. */
  readonly unpublished: number | null;
  readonly oldest_unpublished_at: string | null;
  readonly fault: string | null;
}

/** Returns why a producer's events are not published, and what to do; null when all is well. */
export function relayFault({ unpublished, oldest_unpublished_at, fault }: Relay, now: Date): string | null {
  if (fault !== null) return `Nothing is published, and ${unpublished ?? 'an unknown number of'} events wait in the outbox: ${fault}`;
  const waited = oldest_unpublished_at === null ? 0 : now.getTime() - new Date(oldest_unpublished_at).getTime();
  if (waited < stuckMs) return null;
  return `${unpublished} events wait in the outbox, the oldest for ${minutes(waited)}: look at the logs of the relay, and start a replica where none runs.`;
}

/** Returns why a consumer makes no progress, and what to do; null when all is well. */
export function consumerFault({ service, exists, pending, unacknowledged, last_active_at, reported, now }: ConsumerState): string | null {
  if (!exists) return `${service} has no consumer of this stream yet: it makes one when it starts.`;
  if (reported !== null) return `${service} cannot pull events: ${reported}`;
  const idleMs = last_active_at === null ? Number.POSITIVE_INFINITY : now.getTime() - new Date(last_active_at).getTime();
  if (pending + unacknowledged === 0 || idleMs < stuckMs) return null;
  const since = last_active_at === null ? 'and none was ever acknowledged' : `and none was acknowledged for ${minutes(idleMs)}`;
  return `${pending + unacknowledged} events wait for ${service} ${since}: start a replica where none runs, and look in its log for the event handler that fails.`;
}

const minutes = (ms: number): string => {
  const count = Math.floor(ms / 60_000);
  return count === 1 ? 'a minute' : `${count} minutes`;
};

interface ConsumerState {
  readonly service: string;
  readonly exists: boolean;
  readonly pending: number;
  readonly unacknowledged: number;
  readonly last_active_at: string | null;
  /** What the service says of itself. */
  readonly reported: string | null;
  readonly now: Date;
}
