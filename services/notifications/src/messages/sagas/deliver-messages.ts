import { crashPoint } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { mostTries, waitAfter } from '../rules/retry-delay.ts';
import { type Settlement, settleTopic, takeTopics } from '../tables/messages.ts';
import { buryDevice, type Waiting, waitingIn } from '../tables/pending-messages.ts';
import { giveUpErrand } from '../transactions/retry-message.ts';
import { sendErrand } from './send-message.ts';

/** Topics one worker has in hand at once. */
const inHand = 16;
/** Longer than the slowest delivery takes: push, then e-mail, each with its patience. */
const leaseSeconds = 90;

/**
 * Sends what is due, until nothing is. Any number of workers share it: each takes topics nobody has in hand, sends outside any
 * transaction and writes down what came of it. One that dies between the two is stood in for when its lease is over, and the message
 * goes out again under the same id.
 */
export async function deliverErrands(context: Context): Promise<void> {
  const { database, now, newId } = context;
  for (;;) {
    const token = newId();
    const at = now();
    const until = new Date(at.getTime() + leaseSeconds * 1000);
    const topics = await takeTopics(database, { token, now: at, until, atMost: inHand });
    if (topics.length === 0) return;
    const waiting = await waitingIn(database, topics);
    await Promise.all(
      topics.map((topic) =>
        deliverTopic(
          topic,
          token,
          waiting.filter((errand) => errand.topic === topic),
          context,
        ),
      ),
    );
  }
}

async function deliverTopic(topic: string, token: string, waiting: readonly Waiting[], context: Context): Promise<void> {
  const { database, now, log } = context;
  const settled: { readonly errand: Waiting; readonly settlement: Settlement }[] = [];
  for (const errand of waiting) {
    const settlement = await settle(errand, context);
    if (settlement) settled.push({ errand, settlement });
  }
  crashPoint('errand-sent');
  const givenUp = settled.filter(({ settlement }) => settlement.state === 'failed');
  const settlements = settled.map(({ settlement }) => settlement);
  const ours = await database.transaction(async (tx) => {
    if (!(await settleTopic(tx, topic, token, settlements, now()))) return false;
    for (const { errand, settlement } of givenUp) await giveUpErrand(tx, errand, settlement);
    return true;
  });
  if (!ours) log.warn({ token }, 'a worker was slower than its lease: another one has taken its errands over');
}

/** Null for what is not due yet. */
async function settle(errand: Waiting, context: Context): Promise<Settlement | null> {
  const { now, log, channels, random } = context;
  const at = now();
  const about = { id: errand.id, attempts: errand.attempts, dueAt: new Date(errand.due_at) };
  if (errand.outdated) return { ...about, state: 'superseded', reason: 'newer' };
  if (errand.expires_at && new Date(errand.expires_at) <= at) return { ...about, state: 'superseded', reason: 'expired' };
  if (about.dueAt > at) return null;
  const { outcome, dead } = await sendErrand(errand, channels, at);
  for (const device of dead) await buryDevice(context.database, errand.customer_id, device, now());
  if (outcome.as === 'muted') return { ...about, state: 'muted', reason: outcome.reason };
  const attempts = errand.attempts + 1;
  const fields = { errand_id: errand.id, template: errand.template, store_id: errand.store_id, attempts };
  if (outcome.as === 'delivered') {
    log.info(fields, 'a message was sent');
    return { ...about, attempts, state: 'sent', reason: null };
  }
  const { reason } = outcome;
  if (outcome.as !== 'later' || attempts >= mostTries) {
    log.error({ ...fields, reason }, 'a message was given up: it is a dead letter');
    return { ...about, attempts, state: 'failed', reason };
  }
  log.warn({ ...fields, reason }, 'a message could not be sent yet');
  const dueAt = new Date(now().getTime() + waitAfter(attempts, outcome.afterSeconds, random()) * 1000);
  return { ...about, attempts, state: 'pending', reason, dueAt };
}
