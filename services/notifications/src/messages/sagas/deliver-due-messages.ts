import { crashPoint } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { type Settlement, settleAttempt, settleOutOfDate } from '../rules/settlement.ts';
import { markDeviceGone } from '../tables/addresses.ts';
import { type PendingMessage, selectPendingMessages } from '../tables/pending-messages.ts';
import { type LeasedTopic, leaseTopics } from '../tables/topics.ts';
import { settleTopic } from '../transactions/settle-topic.ts';
import { sendMessage } from './send-message.ts';

/** Topics a replica leases at once. */
const batchSize = 16;
/** Longer than the slowest delivery: push, then SMS, which may ask twice, then e-mail, each up to its time-out. */
const leaseSeconds = 90;

/**
 * Sends the messages that are due until none is left. Any number of replicas share the work: each leases topics, sends outside of any
 * transaction, and then writes what became of the messages. When a replica dies between sending and writing, another one takes over at the
 * end of the lease and sends the message again under the same id.
 */
export async function deliverDueMessages(context: Context): Promise<void> {
  const { database, now, newId } = context;
  for (;;) {
    const token = newId();
    const at = now();
    const expiresAt = new Date(at.getTime() + leaseSeconds * 1000);
    const topics = await leaseTopics(database, { token, now: at, expiresAt, limit: batchSize });
    if (topics.length === 0) return;
    const pending = await selectPendingMessages(
      database,
      topics.map(({ key }) => key),
    );
    await Promise.all(
      topics.map((leased) => {
        const messages = pending.filter(({ topic }) => topic === leased.key);
        return deliverTopic({ ...leased, leaseToken: token, messages }, context);
      }),
    );
  }
}

interface TopicToDeliver extends LeasedTopic {
  readonly leaseToken: string;
  readonly messages: readonly PendingMessage[];
}

async function deliverTopic({ key, taken_over, leaseToken, messages }: TopicToDeliver, context: Context): Promise<void> {
  const settled: { readonly message: PendingMessage; readonly settlement: Settlement }[] = [];
  for (const message of messages) {
    const settlement = await deliver(message, taken_over, context);
    if (settlement) settled.push({ message, settlement });
  }
  crashPoint('notifications.delivery.after-send');
  const held = await context.database.transaction((tx) => settleTopic(tx, { key, leaseToken, settled }));
  if (!held)
    context.log.warn({ token: leaseToken }, 'a lease expired before its messages were settled: another replica has taken them over');
}

/** Sends one message if it is due and not out of date. Returns null for a message that is not due yet. */
async function deliver(message: PendingMessage, takenOver: boolean, context: Context): Promise<Settlement | null> {
  const { database, now, random } = context;
  const unsettled = {
    superseded: message.superseded,
    expiresAt: message.expires_at === null ? null : new Date(message.expires_at),
    attempts: message.attempts,
    dueAt: new Date(message.due_at),
  };
  const at = now();
  const outOfDate = settleOutOfDate(unsettled, at);
  if (outOfDate) return outOfDate;
  if (unsettled.dueAt > at) return null;
  const { outcome, goneDevices } = await sendMessage(message, takenOver, context);
  const owner = message.customer_id ?? message.contact_id;
  if (owner !== null) for (const device of goneDevices) await markDeviceGone(database, owner, device, now());
  const settlement = settleAttempt(unsettled, outcome, now(), random());
  logAttempt(message, settlement, context);
  return settlement;
}

function logAttempt({ id, template, store_id }: PendingMessage, { state, attempts, reason }: Settlement, { log }: Context): void {
  const fields = { message_id: id, template, store_id, attempts };
  if (state === 'sent') log.info(fields, 'a message was sent');
  if (state === 'failed') log.error({ ...fields, reason }, 'a message failed: it is now a dead letter');
  if (state === 'pending') log.warn({ ...fields, reason }, 'a message could not be sent: it will be tried again');
}
