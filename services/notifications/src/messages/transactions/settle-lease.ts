import { type Queries, type Signal, type Transaction, writeDeadLetter } from '@corner/chassis';
import { type DeliveredTopics, type SettledMessage, type SettledTopic, settleTopics } from '../tables/leases.ts';
import { reopenMessage } from '../tables/messages.ts';

/** The type of the dead letter of a failed message. The dead letter's id is the message's id. */
export const messageDeadLetter = 'message';

/**
 * Writes what became of the messages of a lease's topics, makes a dead letter of each that failed, and gives the topics back. Returns the
 * topics, without those whose lease has passed to another replica: nothing is written of them. Without a failed message this is one
 * statement, which needs no explicit transaction.
 */
export async function settleLease(tx: Queries, delivered: DeliveredTopics): Promise<readonly SettledTopic[]> {
  const topics = await settleTopics(tx, delivered);
  const held = new Set(topics.map(({ key }) => key));
  for (const failure of failuresOf(delivered)) if (held.has(failure.message.topic)) await writeDeadLetter(tx, deadLetterOf(failure));
  return topics;
}

/** The messages that failed for good. */
export const failuresOf = ({ topics }: Pick<DeliveredTopics, 'topics'>): readonly SettledMessage[] =>
  topics.flatMap(({ settled }) => settled.filter(({ state }) => state === 'failed'));

/** The dead letter contains ids, neither text nor address. */
const deadLetterOf = ({ message, reason, attempts }: SettledMessage) => ({
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

/**
 * Sends a failed message again, with all its attempts. Preferences and addresses are read again when it is sent, and a message that is out
 * of date by then is superseded. Throws when there is no failed message of this id.
 */
export async function retryMessage(tx: Transaction, id: string, signal: Signal): Promise<void> {
  if (!(await reopenMessage(tx, id))) throw new Error('the message is no longer stored as failed');
  tx.on('commit', signal.raise);
}
