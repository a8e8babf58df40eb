import { Envelope, Incarnation, numberHeaders, type Producer } from '@corner/contracts';
import { z } from 'zod';
import type { DeliveredMessage } from '../broker/broker.ts';
import { type IncomingEvent, idOfPlace, type Numbered, parseEnvelope } from './incoming-event.ts';
import { type Part, scopeOfEnvelope, scopeOfSubject, takesScope, wholeStream } from './parts.ts';

/** Something to process: a message that the broker delivered, or an event that was read from its producer. */
export interface Delivery {
  /** The id under which it is recorded: the event's, or one of its place in the stream when it is not an event envelope. */
  readonly eventId: string;
  readonly subject: string;
  /** False where it belongs to another part of what the service consumes: it is counted, and not read any further. */
  readonly isOurs: boolean;
  /** Null when it is not an event envelope. */
  readonly incoming: IncomingEvent | null;
  /** The number that the message names; null when it names none. */
  readonly place: Place | null;
  /** The number under which it is recorded; absent for a snapshot of the directory. */
  readonly numbered?: Numbered;
  /** How often the broker has delivered it, this time included; 1 when it was read from its producer. */
  readonly deliveries: number;
  payload(): string;
  /** Sends an acknowledgement. When it cannot be sent, the broker delivers again, and the event is in the inbox already. */
  respond(acknowledgement: 'ack' | 'nak' | 'working'): void;
}

/** An event's number, and the incarnation under which it was given. */
export interface Place {
  readonly incarnation: Incarnation;
  readonly number: number;
}

/** Whose stream a message was read from. */
export interface Origin {
  readonly producer: Producer;
  /** How the subjects of its events begin. */
  readonly subjects: string;
  readonly part: Part;
}

/** A message of a producer's stream. A service may route what it reads there, so another producer's event in it is no event. */
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

/** A message of another part: no more of it is read than its number, because a part receives all messages of all others. */
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

/** Subject and store of an event that may be unreadable: '' and undefined where they are not valid. */
const Scoped = z
  .object({ subject: z.string().catch(''), storeid: z.string().optional().catch(undefined) })
  .catch({ subject: '', storeid: undefined });

/** An event that was read from its producer, which may have sent something else. */
export function deliveryOfEvent(producer: Producer, number: number, sent: unknown, part = wholeStream): Delivery {
  const { data: parsed } = Envelope.safeParse(sent);
  const envelope = parsed && isOf(producer, parsed) ? parsed : undefined;
  return {
    eventId: envelope?.id ?? idOfPlace(producer, number),
    subject: `${producer}.${envelope?.type ?? 'unreadable'}`,
    // Its message has the scope in its subject, whether its envelope can be read or not: else no part would take it.
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
