import { Envelope } from '@corner/contracts';
import type { Database } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';
import type { EventHandlers } from './event-handler.ts';

/** An event as it arrived, parsed as far as its envelope. */
export interface IncomingEvent {
  readonly envelope: Envelope;
  /** True for a redelivery, a retry and a replay. */
  readonly redelivered: boolean;
}

/** What events are processed with. */
export interface InboxOptions<Context> {
  readonly database: Database;
  readonly eventHandlers: EventHandlers<Context>;
  readonly context: Context;
  readonly log: Log;
}

/** Parses a message's payload. Throws a SyntaxError or a ZodError when it is not an event envelope. */
export const parseEnvelope = (payload: string): Envelope => Envelope.parse(JSON.parse(payload));
