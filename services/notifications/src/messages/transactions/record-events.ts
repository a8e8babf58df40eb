import { derivedUuid, type EventTask, type Signal, type Transaction } from '@corner/chassis';
import type { Envelope, EventOf, PublicEvent } from '@corner/contracts';
import type { StoreEvent } from '../../subscriptions/index.ts';
import type { EventContent, MessageContent, Reminder } from '../rules/content.ts';
import { type Interaction, insertEventRecords, type Review, type TopicChange } from '../tables/event-records.ts';
import { type NewMessage, wasSent } from '../tables/messages.ts';
import { noticeStampReview } from './notify-store.ts';

type Event = Pick<Envelope, 'id' | 'sequence' | 'customerid' | 'storeid' | 'traceparent'>;

export type EventRecord =
  | { readonly kind: 'message'; readonly event: Event; readonly content: EventContent }
  | { readonly kind: 'interaction'; readonly interaction: Interaction | null }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'public'; readonly event: StoreEvent | null };

export const messageOf = (event: Event, content: EventContent): EventRecord => ({ kind: 'message', event, content });

interface CustomerOfStore {
  readonly customer_id: string | null;
  readonly store_id: string;
  readonly without_customer?: true | undefined;
}

/** A sale to an unknown customer or a guest records no interaction. */
export function interactionAt(at: string, { customer_id, store_id, without_customer }: CustomerOfStore): EventRecord {
  if (customer_id === null) return { kind: 'interaction', interaction: null };
  return { kind: 'interaction', interaction: without_customer ? null : { customerId: customer_id, storeId: store_id, at } };
}

interface StampEvent {
  readonly id: string;
  readonly data: { readonly stamp_id: string; readonly store_id: string; readonly at_store_id: string | null };
}

export const reviewOf = ({ id, data }: StampEvent, state: Review['state']): EventRecord => ({
  kind: 'review',
  review: { eventId: id, stampId: data.stamp_id, storeId: data.at_store_id ?? data.store_id, state },
});

export function publicOf(
  { id, storeid, subject, time, data }: EventOf<PublicEvent['event']>,
  { type, version, data: fields }: PublicEvent,
): EventRecord {
  if (storeid === undefined) return { kind: 'public', event: null };
  return { kind: 'public', event: { store_id: storeid, event_id: id, type, version, object: subject, at: time, data: fields.parse(data) } };
}

/**
 * Records a batch of events in one statement: supersedes older messages and creates new ones, once. A guest is reached only through a queue
 * entry, by a text; an invitation goes by mail. Raises a signal once messages are due, and one once webhooks are.
 */
export async function recordEvents(
  tasks: readonly EventTask<EventRecord>[],
  tx: Transaction,
  { messageSignal, webhookSignal }: Sending,
): Promise<void> {
  const records = tasks.map(({ task }) => task);
  const contents = records.flatMap((record) => (record.kind === 'message' ? [record] : []));
  const reviews = records.flatMap((record) => (record.kind === 'review' ? [record.review] : []));
  const recorded = await insertEventRecords(tx, {
    contents: contents.flatMap(({ event, content }) => [
      contentOf(tx, event, content, content.message?.corrects === undefined),
      ...(content.reminders ?? []).map((reminder) => reminderOf(tx, event, reminder)),
    ]),
    interactions: records.flatMap((record) => (record.kind === 'interaction' && record.interaction ? [record.interaction] : [])),
    reviews,
    publicEvents: records.flatMap((record) => (record.kind === 'public' && record.event ? [record.event] : [])),
  });
  if (recorded.waiting_events > 0) tx.on('commit', webhookSignal.raise);
  raiseWhenDue(tx, recorded.due_times, messageSignal);
  for (const { event, content } of contents) if (content.message?.corrects) await createCorrection(tx, event, content, messageSignal);
  const reviewed = new Set(recorded.reviewed_stamps);
  for (const review of reviews) if (reviewed.delete(review.stampId)) await noticeStampReview(tx, review);
}

/** Creates a correction if the message it corrects was sent. The topic is locked, so that a delivery's lease sees the correction. */
async function createCorrection(tx: Transaction, event: Event, content: EventContent, signal: Signal): Promise<void> {
  const { topic, corrects } = content.message ?? {};
  if (!topic || !corrects || !(await wasSent(tx, topic, corrects))) return;
  const { due_times } = await insertEventRecords(tx, { contents: [contentOf(tx, event, content, true)] });
  raiseWhenDue(tx, due_times, signal);
}

function raiseWhenDue(tx: Transaction, times: readonly string[], signal: Signal): void {
  tx.on('commit', () => {
    for (const time of times) signal.raiseAfter(Math.max(0, Date.parse(time) - tx.now.getTime()));
  });
}

const contentOf = (tx: Transaction, event: Event, { supersedes, message }: EventContent, create: boolean): TopicChange => ({
  eventId: event.id,
  traceparent: event.traceparent,
  sequence: event.sequence,
  topics: supersedes,
  messages: (message && create && messagesOf(tx, event, message)) || [],
});

/** A reminder derives its own id from the event's, the same for a repeat: an event has one message to a person over a channel. */
const reminderOf = (tx: Transaction, event: Event, reminder: Reminder): TopicChange => ({
  eventId: derivedUuid(`reminder:${event.id}:${reminder.topic}`),
  traceparent: event.traceparent,
  sequence: event.sequence,
  topics: [],
  messages: messagesOf(tx, event, reminder).map((message) => ({ ...message, dueAt: new Date(reminder.dueAt) })),
});

function messagesOf(tx: Transaction, { customerid, storeid: storeId }: Event, content: MessageContent): readonly NewMessage[] {
  const [customerId, entryRef] = [customerid ?? null, content.entryRef ?? null];
  if (!storeId || (customerId === null && entryRef === null)) return [];
  return [
    {
      id: tx.newId(),
      recipient: { customerId, contactId: null, entryRef },
      storeId,
      content: customerId === null && content.channel === 'push' ? { ...content, channel: 'sms' } : content,
      dueAt: new Date(tx.now.getTime() + content.waitSeconds * 1000),
    },
  ];
}

interface Sending {
  readonly messageSignal: Signal;
  readonly webhookSignal: Signal;
}
