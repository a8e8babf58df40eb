/** Milliseconds without progress after which a relay or a consumer counts as stuck. */
const stuckMs = 60_000;

export interface Relay {
  readonly unpublished: number | null;
  readonly oldest_unpublished_at: string | null;
  readonly fault: string | null;
}

export function relayFault({ unpublished, oldest_unpublished_at, fault }: Relay, now: Date): string | null {
  if (fault !== null) return `Nothing is published, and ${eventsThatWait(unpublished)} in the outbox: ${fault}`;
  const waited = oldest_unpublished_at === null ? 0 : now.getTime() - new Date(oldest_unpublished_at).getTime();
  if (waited < stuckMs) return null;
  return `${eventsThatWait(unpublished)} in the outbox, the oldest for ${minutes(waited)}: look at the logs of the relay, and start a replica where none runs.`;
}

export function consumerFault(service: string, state: Waiting | 'missing' | 'unknown', reported: string | null): string | null {
  if (state === 'missing') return `${service} has no consumer of this stream: see whether \`corner streams\` runs, which makes it.`;
  if (reported !== null) return `${service} cannot pull events: ${reported}`;
  if (state === 'unknown') return null;
  if (state.waitedMs < stuckMs) return null;
  return `${eventsThatWait(state.pending + state.unacknowledged)} for ${service}, the oldest for ${minutes(state.waitedMs)} or more: start a replica where none runs, and look in its log for the event handler that fails.`;
}

const eventsThatWait = (count: number | null): string => (count === 1 ? '1 event waits' : `${count ?? 'an unknown number of'} events wait`);

const minutes = (ms: number): string => {
  const count = Math.floor(ms / 60_000);
  return count === 1 ? 'a minute' : `${count} minutes`;
};

interface Waiting {
  readonly pending: number;
  readonly unacknowledged: number;
  readonly waitedMs: number;
}
