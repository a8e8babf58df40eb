import { crashPoint, isTransient, pause } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { type AttemptResult, resultIfOutOfDate, resultOfAttempt } from '../rules/delivery.ts';
import { markDeviceGone } from '../tables/devices.ts';
import {
  type DeliveredTopic,
  type FinishedMessage,
  type LeasedTopic,
  leaseTopics,
  type PendingMessage,
  recordDeliveries,
  type Source,
} from '../tables/leases.ts';
import { failuresOf, recordWithDeadLetters } from '../transactions/dead-letters.ts';
import { sendMessage } from './send-message.ts';

/** Campaigns have fewer, so that a receipt that shares a mail server's connections with them waits for one round of theirs. */
const leaseSizes: Readonly<Record<Source, number>> = { others: 16, campaigns: 4 };
/**
 * A lease is longer than the slowest delivery: push, then SMS, which may query twice, then e-mail, each up to its time-out. Another process
 * takes over a lease whose lock is free only after the grace, since a living process regains its lock within a fraction of a second. A
 * delivery that has ended waits `gatherMs` to be written together with others.
 */
const leaseSeconds = 90;
const graceSeconds = 5;
const gatherMs = 20;
const writeAgainMs = 200;

/**
 * Sends the due messages of one source until none is left. Each replica leases topics, sends outside of any transaction and writes the
 * results. When one dies in between, another takes over once its lock is free, and sends again under the same ids.
 */
export async function deliverDueMessages(context: Context, source: Source = 'others'): Promise<void> {
  for (;;) {
    const token = context.newId();
    const topics = await lease(token, source, context);
    const moreDue = await deliverLease(token, topics, context);
    if (topics.length < leaseSizes[source] && !moreDue) return;
  }
}

async function lease(
  token: string,
  source: Source,
  { database, now, processLock: holder, lostLeases }: Context,
): Promise<readonly LeasedTopic[]> {
  const at = now();
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  const [expiresAt, deadBefore] = [after(leaseSeconds), after(leaseSeconds - graceSeconds)];
  try {
    return await leaseTopics(database, {
      token,
      holder,
      now: at,
      expiresAt,
      deadBefore,
      lost: [...lostLeases],
      source,
      limit: leaseSizes[source],
    });
  } catch (error) {
    lostLeases.add(token);
    setTimeout(() => lostLeases.delete(token), leaseSeconds * 1000).unref();
    throw error;
  }
}

/** Returns whether a topic is due again. A delivery that throws is repeated when its lease expires. */
async function deliverLease(token: string, topics: readonly LeasedTopic[], context: Context): Promise<boolean> {
  const ended: DeliveredTopic[] = [];
  const faults: unknown[] = [];
  const open = new Set<Promise<void>>();
  for (const topic of topics) {
    const delivery = deliverTopic(topic, context)
      .then((delivered) => void ended.push(delivered))
      .catch((fault) => void faults.push(fault))
      .finally(() => open.delete(delivery));
    open.add(delivery);
  }
  let moreDue = false;
  while (open.size + ended.length > 0) {
    if (ended.length === 0) await Promise.race(open);
    await Promise.race([Promise.all(open), pause(gatherMs)]);
    const due = await finish(token, ended.splice(0), context).catch((fault) => void faults.push(fault));
    moreDue ||= due === true;
  }
  if (faults.length > 0)
    throw new AggregateError(faults, 'the results of some messages of a lease were not written: they are sent again when it expires');
  return moreDue;
}

async function finish(token: string, topics: readonly DeliveredTopic[], context: Context): Promise<boolean> {
  const { database, now, log, messageSignal } = context;
  crashPoint('notifications.delivery.after-send');
  const delivered = { token, topics, now: now() };
  const failed = failuresOf(delivered).length > 0;
  const write = () => (failed ? database.transaction((tx) => recordWithDeadLetters(tx, delivered)) : recordDeliveries(database, delivered));
  const returned = await untilWritten(write);
  if (returned.length < topics.length)
    log.warn({ token }, 'a lease expired before the results of its messages were written: another replica has taken them over');
  const waits = returned.flatMap(({ due_at }) => (due_at === null ? [] : [Date.parse(due_at) - now().getTime()]));
  for (const wait of waits) if (wait > 0) messageSignal.raiseAfter(wait);
  return waits.some((wait) => wait <= 0);
}

/** Retries while the database is away, since unwritten messages would be sent again. Throws when the lease has ended. */
async function untilWritten<T>(write: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + leaseSeconds * 1000; ; await pause(writeAgainMs)) {
    try {
      return await write();
    } catch (fault) {
      if (!isTransient(fault) || performance.now() > end) throw fault;
    }
  }
}

async function deliverTopic({ key, version, taken_over, messages }: LeasedTopic, context: Context): Promise<DeliveredTopic> {
  const results: FinishedMessage[] = [];
  const dueTimes: number[] = [];
  for (const message of messages) {
    const result = await deliver(message, taken_over, context);
    if (result) results.push({ message, ...result });
    if (!result || result.state === 'pending') dueTimes.push((result?.dueAt ?? new Date(message.due_at)).getTime());
  }
  return { key, version, results, dueAt: dueTimes.length === 0 ? null : new Date(Math.min(...dueTimes)) };
}

async function deliver(message: PendingMessage, takenOver: boolean, context: Context): Promise<Omit<FinishedMessage, 'message'> | null> {
  const { database, now, random } = context;
  const attempt = {
    superseded: message.superseded,
    expiresAt: message.expires_at === null ? null : new Date(message.expires_at),
    attempts: message.attempts,
    dueAt: new Date(message.due_at),
  };
  const at = now();
  const outOfDate = resultIfOutOfDate(attempt, at);
  if (outOfDate) return { ...outOfDate, sentChannel: null };
  if (attempt.dueAt > at) return null;
  const { outcome, sentChannel, goneDevices } = await sendMessage(message, takenOver, context);
  const owner = message.customer_id ?? message.contact_id;
  if (owner !== null) for (const device of goneDevices) await markDeviceGone(database, owner, device, now());
  const result = resultOfAttempt(attempt, outcome, now(), random());
  logAttempt(message, result, context);
  return { ...result, sentChannel };
}

function logAttempt({ id, template, store_id }: PendingMessage, { state, attempts, reason }: AttemptResult, { log }: Context): void {
  const fields = { message_id: id, template, store_id, attempts };
  if (state === 'sent') log.info(fields, 'a message was sent');
  if (state === 'failed') log.error({ ...fields, reason }, 'a message failed: it is now a dead letter');
  if (state === 'muted' && reason !== 'unwanted' && reason !== 'unreachable') log.info({ ...fields, reason }, 'a message was withheld');
  if (state === 'pending') log.warn({ ...fields, reason }, 'a message could not be sent: it will be tried again');
}
