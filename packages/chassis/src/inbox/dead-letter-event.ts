import { createHash } from 'node:crypto';
import type { JsMsg } from '@nats-io/jetstream';
import { describeError } from '../errors/describe-error.ts';
import { measure } from '../telemetry/metrics.ts';
import { writeDeadLetter } from './dead-letters.ts';
import type { InboxOptions, IncomingEvent } from './inbox.ts';

/** Makes a dead letter of a message and says so in the log. Whoever calls acknowledges afterwards. */
export async function deadLetter<Context>(
  { database, log }: InboxOptions<Context>,
  message: JsMsg,
  heard: IncomingEvent | null,
  error: unknown,
  attempts: number,
): Promise<void> {
  const eventId = heard?.envelope.id ?? idOf(message);
  await writeDeadLetter(database, {
    eventId,
    type: heard?.envelope.type ?? 'unreadable',
    subject: message.subject,
    payload: message.string(),
    error: describeError(error),
    attempts,
  });
  measure('corner.dead_letters.buried', 1, { 'corner.event.type': heard?.envelope.type ?? 'unreadable' });
  log.error({ event_id: eventId, type: heard?.envelope.type, attempts, err: error }, 'an event was set aside as a dead letter');
}

/** A message without a readable envelope still needs one identity however often it comes: its place in the stream. */
function idOf(message: JsMsg): string {
  const hex = createHash('sha256').update(`${message.info.stream}:${message.seq}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
