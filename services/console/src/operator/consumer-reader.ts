import type { NatsBroker } from '@corner/chassis/calls';
import type { Producer, ServiceName } from '@corner/contracts';

export interface ConsumerState {
  readonly pending: number;
  readonly unacknowledged: number;
  readonly redelivered: number;
  readonly last_active_at: string | null;
  /** Milliseconds for which the oldest of them has been seen waiting; 0 when none waits. */
  readonly waitedMs: number;
}

/** Reads the state of a service's consumer: `missing` when the broker has none, `unknown` when the broker does not reply. */
export type ReadConsumer = (producer: Producer, service: ServiceName) => Promise<ConsumerState | 'missing' | 'unknown'>;

/**
 * Remembers since when the same event has been the oldest that waits. The time of the last acknowledgement does not show that: there may
 * have been nothing to acknowledge for hours.
 */
export function createConsumerReader(broker: () => NatsBroker | null, now: () => Date): ReadConsumer {
  const waiting = new Map<string, { readonly floor: string; readonly since: number }>();
  const waitedMs = (key: string, floor: string): number => {
    const before = waiting.get(key);
    if (before?.floor !== floor) waiting.set(key, { floor, since: now().getTime() });
    return now().getTime() - (waiting.get(key)?.since ?? 0);
  };
  return async (producer, service) => {
    const info = await askBroker(broker(), ({ jsm, streamOf }) => jsm.consumers.info(streamOf(producer), service));
    if (typeof info === 'string') return info;
    const key = `${producer} ${service}`;
    const waits = info.num_pending + info.num_ack_pending > 0;
    if (!waits) waiting.delete(key);
    return {
      pending: info.num_pending,
      unacknowledged: info.num_ack_pending,
      redelivered: info.num_redelivered,
      last_active_at: info.ack_floor.last_active ? new Date(info.ack_floor.last_active).toISOString() : null,
      waitedMs: waits ? waitedMs(key, `${info.created} ${info.ack_floor.stream_seq}`) : 0,
    };
  };
}

/** JetStream's codes for a consumer and a stream that do not exist. */
const missing: ReadonlySet<unknown> = new Set([10_014, 10_059]);

export async function askBroker<T>(broker: NatsBroker | null, ask: (broker: NatsBroker) => Promise<T>): Promise<T | 'missing' | 'unknown'> {
  if (!broker?.isConnected()) return 'unknown';
  try {
    return await ask(broker);
  } catch (error) {
    return missing.has((error as { readonly code?: unknown }).code) ? 'missing' : 'unknown';
  }
}
