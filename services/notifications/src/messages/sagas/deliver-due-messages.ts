import { setTimeout as pause } from 'node:timers/promises';
import { crashPoint, isTransient } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { type Settlement, settleAttempt, settleOutOfDate } from '../rules/settlement.ts';
import { markDeviceGone } from '../tables/addresses.ts';
import { type DeliveredTopic, type LeasedTopic, leaseTopics, type SettledMessage } from '../tables/leases.ts';
import type { PendingMessage } from '../tables/pending-messages.ts';
import { failuresOf, settleLease } from '../transactions/settle-lease.ts';
import { sendMessage } from './send-message.ts';

/** Topics a replica leases at once. */
const leaseSize = 16;
/** Longer than the slowest delivery: push, then SMS, which may ask twice, then e-mail, each up to its time-out. */
const leaseSeconds = 90;
/**
 * Seconds before another process asks whether the lock of a lease's process is free. A living process that loses its connection to Postgres gets its
 * lock back in a fraction of a second; only in that moment can an older lease of it be taken over.
 */
const graceSeconds = 5;
/** Milliseconds a delivery that has ended waits for others, to be settled together with them. A slower one is settled later. */
const gatherMs = 20;
/** Milliseconds between two attempts to write what became of messages, while the database is away. */
const writeAgainMs = 200;

/**
 * Sends the messages that are due until none is left. Any number of replicas share the work: each leases topics, sends outside of any
 * transaction, and then writes what became of the messages. When a replica dies between sending and writing, another one takes over as soon as
 * Postgres has released the lock of its process, and sends the message again under the same id. A process that lives and is slow keeps its
 * lease as long as it holds its lock.
 */
export async function deliverDueMessages(context: Context): Promise<void> {
  for (;;) {
    const token = context.newId();
    const topics = await lease(token, context);
    const moreDue = await deliverLease(token, topics, context);
    if (topics.length < leaseSize && !moreDue) return;
  }
}

/** Leases topics that are due. When the response is lost, the next lease takes over what this one may have got. */
async function lease(token: string, { database, now, processLock: holder, lostLeases }: Context): Promise<readonly LeasedTopic[]> {
  const at = now();
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  const [expiresAt, deadBefore] = [after(leaseSeconds), after(leaseSeconds - graceSeconds)];
  try {
    return await leaseTopics(database, { token, holder, now: at, expiresAt, deadBefore, lost: [...lostLeases], limit: leaseSize });
  } catch (error) {
    lostLeases.add(token);
    setTimeout(() => lostLeases.delete(token), leaseSeconds * 1000).unref();
    throw error;
  }
}

/** Delivers the messages of a lease, and settles those together that end together. Returns whether a topic is due again. */
async function deliverLease(token: string, topics: readonly LeasedTopic[], context: Context): Promise<boolean> {
  const ended: DeliveredTopic[] = [];
  const faults: unknown[] = [];
  const open = new Set<Promise<void>>();
  for (const topic of topics) {
    const delivery = deliverTopic(topic, context)
      .then((delivered) => void ended.push(delivered))
      // Its lease expires, and it is delivered again.
      .catch((fault) => void faults.push(fault))
      .finally(() => open.delete(delivery));
    open.add(delivery);
  }
  let moreDue = false;
  // The last delivery may end while others are being settled.
  while (open.size + ended.length > 0) {
    if (ended.length === 0) await Promise.race(open);
    await Promise.race([Promise.all(open), pause(gatherMs)]);
    const settled = await settle(token, ended.splice(0), context).catch((fault) => void faults.push(fault));
    moreDue ||= settled === true;
  }
  if (faults.length > 0) throw new AggregateError(faults, 'some messages of a lease were not settled: they are sent again when it expires');
  return moreDue;
}

/** Settles topics whose delivery has ended. Returns whether one of them is due again. */
async function settle(token: string, topics: readonly DeliveredTopic[], context: Context): Promise<boolean> {
  const { database, now, log, messageSignal } = context;
  crashPoint('notifications.delivery.after-send');
  const delivered = { token, topics, now: now() };
  const failed = failuresOf(delivered).length > 0;
  const write = () => (failed ? database.transaction((tx) => settleLease(tx, delivered)) : settleLease(database, delivered));
  const settled = await untilWritten(write);
  if (settled.length < topics.length)
    log.warn({ token }, 'a lease expired before its messages were settled: another replica has taken them over');
  const waits = settled.flatMap(({ due_at }) => (due_at === null ? [] : [Date.parse(due_at) - now().getTime()]));
  for (const wait of waits) if (wait > 0) messageSignal.raiseAfter(wait);
  return waits.some((wait) => wait <= 0);
}

/**
 * Writes what became of messages that were sent, and tries again while the database is away: unwritten, they would wait for the end of the
 * lease and be sent again. Gives up when the lease has ended.
 */
async function untilWritten<T>(write: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + leaseSeconds * 1000; ; await pause(writeAgainMs)) {
    try {
      return await write();
    } catch (fault) {
      if (!isTransient(fault) || performance.now() > end) throw fault;
    }
  }
}

/** Sends a topic's messages one after another. */
async function deliverTopic({ key, version, taken_over, messages }: LeasedTopic, context: Context): Promise<DeliveredTopic> {
  const settled: SettledMessage[] = [];
  const dueTimes: number[] = [];
  for (const message of messages) {
    const settlement = await deliver(message, taken_over, context);
    if (settlement) settled.push({ message, ...settlement });
    if (!settlement || settlement.state === 'pending') dueTimes.push((settlement?.dueAt ?? new Date(message.due_at)).getTime());
  }
  return { key, version, settled, dueAt: dueTimes.length === 0 ? null : new Date(Math.min(...dueTimes)) };
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
