import { createHash } from 'node:crypto';
import { Envelope, type ServiceName } from '@corner/contracts';
import type { Database } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';
import { linkTo } from '../telemetry/telemetry.ts';
import type { EventHandlers } from './event-handler.ts';

/**
 * An event with its envelope parsed. `redelivered` is true for a redelivery, a retry and a replay. `numbered` is absent for a snapshot of
 * the directory, a retry and a replay.
 */
export interface IncomingEvent {
  readonly envelope: Envelope;
  readonly redelivered: boolean;
  readonly numbered?: Numbered;
}

export interface Numbered {
  readonly producer: ServiceName;
  readonly number: number;
}

export const logFieldsOf = ({ envelope: { id, type, traceparent } }: IncomingEvent) => ({
  event_id: id,
  type,
  trace_id: linkTo(traceparent)[0]?.context.traceId,
});

export interface InboxOptions<Context> {
  readonly database: Database;
  readonly eventHandlers: EventHandlers<Context>;
  readonly context: Context;
  readonly log: Log;
}

export interface ConsumeOptions<Context> extends InboxOptions<Context> {
  readonly lease: string;
  readonly onLostLease?: () => void;
  /** Milliseconds in which events gather after a batch; none by default. With 0, events without a handler are recorded at once too. */
  readonly gatherMs?: number | undefined;
}

/** Throws a SyntaxError or a ZodError when the payload is not an event envelope. */
export const parseEnvelope = (payload: string): Envelope => Envelope.parse(JSON.parse(payload));

export function idOfPlace(stream: string, sequence: number): string {
  const hex = createHash('sha256').update(`${stream}:${sequence}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
