import { type Signal, type Transaction, writeDeadLetter } from '@corner/chassis';
import { type DeliveredTopics, type FinishedMessage, type ReturnedTopic, recordDeliveries } from '../tables/leases.ts';
import { reopenMessage } from '../tables/messages.ts';

/** The dead letter's id is the message's id. */
export const messageDeadLetter = 'message';

/**
 * As {@link recordDeliveries}, with a dead letter for each failed message of a topic whose lease is still held. It contains ids, neither
 * text nor address.
 */
export async function recordWithDeadLetters(tx: Transaction, delivered: DeliveredTopics): Promise<readonly ReturnedTopic[]> {
  const topics = await recordDeliveries(tx, delivered);
  const held = new Set(topics.map(({ key }) => key));
  for (const failure of failuresOf(delivered)) if (held.has(failure.message.topic)) await writeDeadLetter(tx, deadLetterOf(failure));
  return topics;
}

export const failuresOf = ({ topics }: Pick<DeliveredTopics, 'topics'>): readonly FinishedMessage[] =>
  topics.flatMap(({ results }) => results.filter(({ state }) => state === 'failed'));

const deadLetterOf = ({ message, reason, attempts }: FinishedMessage) => ({
  eventId: message.id,
  type: messageDeadLetter,
  subject: message.topic,
  payload: JSON.stringify({
    subject: message.topic,
    event_id: message.event_id,
    template: message.template,
    channel: message.channel,
    store_id: message.store_id,
  }),
  error: reason ?? 'unknown',
  attempts,
});

/** Sends a failed message again, by the current preferences and addresses. Throws when there is no failed message of this id. */
export async function retryMessage(tx: Transaction, id: string, signal: Signal): Promise<void> {
  if (!(await reopenMessage(tx, id))) throw new Error('the message is no longer stored as failed');
  tx.on('commit', signal.raise);
}
