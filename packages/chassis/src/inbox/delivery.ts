import { Envelope, Incarnation, numberHeaders, type Producer } from '@corner/contracts';
import { z } from 'zod';
import type { DeliveredMessage } from '../broker/broker.ts';
import { type IncomingEvent, idOfPlace, type Numbered, parseEnvelope } from './incoming-event.ts';
import { type Part, scopeOfEnvelope, scopeOfSubject, takesScope, wholeStream } from './parts.ts';

/**
 * A message from the broker, or an event read from its producer. `incoming` is null when it is not an event envelope; `eventId` then
 * derives from its place in the stream. `isOurs` is false for another part's message, of which only the number is read, because a part
 * receives the messages of all others. `place` is null when the message names no number; `numbered` is absent for a snapshot of the
 * directory. `deliveries` includes this one. A lost acknowledgement leads to a redelivery, which the inbox recognises.
 */
export interface Delivery {
  readonly eventId: string;
  readonly subject: string;
  readonly isOurs: boolean;
  readonly incoming: IncomingEvent | null;
  readonly place: Place | null;
  readonly numbered?: Numbered;
  readonly deliveries: number;
  payload(): string;
  respond(acknowledgement: 'ack' | 'nak' | 'working'): void;
}

export interface Place {
  readonly incarnation: Incarnation;
  readonly number: number;
}

export interface Origin {
  readonly producer: Producer;
  readonly subjects: string;
  readonly part: Part;
}

/** A service may write to the streams that it reads, so an event of another producer in this stream does not count as one. */
export function deliveryOfMessage(message: DeliveredMessage, { producer, subjects, part }: Origin): Delivery {
  if (!takesScope(part, scopeOfSubject(message.subject))) return deliveryOfOthers(message);
  const parsed = parse(message);
  const isForeign = !message.subject.startsWith(subjects) || (parsed !== null && !isOf(producer, parsed.envelope));
  const incoming = isForeign ? null : parsed;
  return {
    eventId: incoming?.envelope.id ?? idOfPlace(message.info.stream, message.seq),
    subject: message.subject,
    isOurs: true,
    incoming,
    place: isForeign ? null : placeOf(message),
    deliveries: message.info.deliveryCount,
    payload: () => message.string(),
    respond: responseTo(message),
  };
}

const deliveryOfOthers = (message: DeliveredMessage): Delivery => ({
  eventId: '',
  subject: message.subject,
  isOurs: false,
  incoming: null,
  place: placeOf(message),
  deliveries: 1,
  payload: () => message.string(),
  respond: responseTo(message),
});

const responseTo =
  (message: DeliveredMessage): Delivery['respond'] =>
  (acknowledgement) => {
    try {
      message[acknowledgement]();
    } catch {}
  };

const Scoped = z
  .object({ subject: z.string().catch(''), storeid: z.string().optional().catch(undefined) })
  .catch({ subject: '', storeid: undefined });

export function deliveryOfEvent(producer: Producer, number: number, sent: unknown, part = wholeStream): Delivery {
  const { data: parsed } = Envelope.safeParse(sent);
  const envelope = parsed && isOf(producer, parsed) ? parsed : undefined;
  return {
    eventId: envelope?.id ?? idOfPlace(producer, number),
    subject: `${producer}.${envelope?.type ?? 'unreadable'}`,
    // The scope is in its message's subject even if the envelope cannot be read: otherwise no part would take it.
    isOurs: takesScope(part, scopeOfEnvelope(producer, Scoped.parse(sent))),
    incoming: envelope ? { envelope, redelivered: false } : null,
    place: null,
    deliveries: 1,
    payload: () => JSON.stringify(sent),
    respond() {},
  };
}

export const withNumber = (delivery: Delivery, numbered: Numbered): Delivery => ({
  ...delivery,
  numbered,
  incoming: delivery.incoming && { ...delivery.incoming, numbered },
});

const isOf = (producer: Producer, { source }: Envelope): boolean => source === `/${producer}`;

function parse(message: DeliveredMessage): IncomingEvent | null {
  try {
    return { envelope: parseEnvelope(message.string()), redelivered: message.redelivered };
  } catch {
    return null;
  }
}

const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 1;

function placeOf({ headers }: DeliveredMessage): Place | null {
  if (!headers?.has(numberHeaders.number)) return null;
  const id = headers.get(numberHeaders.incarnation);
  const [begins, number] = [Number(headers.get(numberHeaders.begins)), Number(headers.get(numberHeaders.number))];
  const isPlace = Incarnation.shape.id.safeParse(id).success && isCount(begins) && isCount(number);
  return isPlace ? { incarnation: { id, begins }, number } : null;
}
