import { type Transaction, writeDeadLetter } from '@corner/chassis';
import type { Settlement } from '../rules/settlement.ts';
import { updateSettled } from '../tables/messages.ts';
import type { PendingMessage } from '../tables/pending-messages.ts';
import { lockLeasedTopic, releaseTopic } from '../tables/topics.ts';

/** The type of the dead letter of a failed message. The dead letter's id is the message's id. */
export const messageDeadLetter = 'message';

export interface SettledTopic {
  readonly key: string;
  readonly leaseToken: string;
  readonly settled: readonly { readonly message: PendingMessage; readonly settlement: Settlement }[];
}

/**
 * Writes what became of a topic's messages, makes a dead letter of each that failed, and ends the lease. Returns false, and writes
 * nothing, when the lease has passed to another replica.
 */
export async function settleTopic(tx: Transaction, { key, leaseToken, settled }: SettledTopic): Promise<boolean> {
  // The lock is a statement of its own: the next statement then sees every message that was inserted before it.
  if (!(await lockLeasedTopic(tx, key, leaseToken))) return false;
  await updateSettled(
    tx,
    settled.map(({ message, settlement }) => ({ id: message.id, ...settlement })),
  );
  await releaseTopic(tx, key);
  for (const { message, settlement } of settled)
    if (settlement.state === 'failed') await writeDeadLetter(tx, deadLetterOf(message, settlement));
  return true;
}

/** The dead letter contains ids, neither text nor address. */
const deadLetterOf = (message: PendingMessage, { reason, attempts }: Settlement) => ({
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
