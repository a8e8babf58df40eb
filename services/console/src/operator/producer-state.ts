import type { Streams } from '@corner/console-api';
import type { Completeness, Producer, ServiceName } from '@corner/contracts';
import type { StreamInfo } from '@nats-io/jetstream';
import type { z } from 'zod';
import type { ConsumerState } from './consumer-reader.ts';
import { consumerFault, type Relay, relayFault } from './stream-faults.ts';

type ProducerState = z.input<typeof Streams>['producers'][number];
type Consumer = ProducerState['consumers'][number];

export interface Seen {
  readonly relay: Relay | undefined;
  readonly info: StreamInfo | 'missing' | 'unknown';
  readonly consumers: readonly Consumer[];
}

/**
 * Returns the state of a producer from its service's report of the relay and the broker's of the stream. A side that does not reply is
 * unknown; a fault that the other side reports stays.
 */
export function producerState(producer: Producer, { relay, info, consumers }: Seen, now: Date): Omit<ProducerState, 'upstream'> {
  const { unpublished = null, oldest_unpublished_at = null } = relay ?? {};
  const stream = info === 'unknown' ? info : info === 'missing' ? null : streamIn(info);
  const fault = relay === undefined ? null : relayFault(relay, now);
  return { producer, stream, unpublished, oldest_unpublished_at, fault, consumers: [...consumers] };
}

export interface Reported {
  readonly fault: string | null;
  readonly completeness: Completeness | undefined;
}

export function consumerState(
  service: ServiceName,
  state: ConsumerState | 'missing' | 'unknown',
  { fault, completeness }: Reported,
): Consumer {
  const counts = state === 'unknown' ? unknown : state === 'missing' ? nothing : state;
  return { service, ...counts, complete: completeIn(completeness), fault: consumerFault(service, state, fault) };
}

function completeIn(completeness: Completeness | undefined): Consumer['complete'] {
  if (completeness === undefined || completeness.complete_up_to === null) return null;
  const { complete_up_to, missing, missing_since, lost } = completeness;
  return { up_to: complete_up_to, missing, missing_since, lost: lost.reduce((sum, { from, to }) => sum + to - from + 1, 0) };
}

const nothing = { pending: 0, unacknowledged: 0, redelivered: 0, last_active_at: null };
const unknown = { pending: null, unacknowledged: null, redelivered: null, last_active_at: null };

const streamIn = ({ state, cluster, config }: StreamInfo): ProducerState['stream'] => ({
  messages: state.messages,
  bytes: state.bytes,
  last_sequence: state.last_seq,
  leader: cluster?.leader ?? null,
  replicas: config.num_replicas,
});
