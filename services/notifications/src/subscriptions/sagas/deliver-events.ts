import { crashPoint, createSemaphore, createSignal, pause, type Semaphore } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { isAllowedHost } from '../adapters/address.ts';
import type { ReceiverResponse } from '../adapters/receiver.ts';
import { signWebhook, webhookSecret } from '../crypto.ts';
import { eventsOfHostInMinute, eventsOfWebhookInMinute, hostOf, nextMinute } from '../rules/limits.ts';
import { messageId } from '../rules/numbering.ts';
import { eventDelaySeconds, slowMs, webhookDelaySeconds } from '../rules/retries.ts';
import { type ClaimedWebhook, claimWebhooks, type DueEvent, isWorkDue, selectDueEvents } from '../tables/deliveries.ts';
import { claimRequests } from '../tables/hosts.ts';
import { type Delivered, eventsOfOneNumbering, numberWaitingEvents, recordDelivery } from '../transactions.ts';

/**
 * Places: webhooks that a replica serves at once, apart for those that respond and for those that fail or are slow. One still open after
 * `slowMs` gives its quick place to another, up to `mostOpen` in all.
 *
 * Database: deliveries use `connectionsAtOnce` connections; the others are left to requests and events.
 *
 * Lease: it takes `eventsOfOneLease` events of a webhook, sends `requestsAtOnce` together, and begins none after `beginsWithinMs`.
 * `leaseSeconds` is longer than that and one request; after it, another replica takes over.
 *
 * Polling: while receivers are open, due work is looked up every `lookAgainMs`; a free place waits `gatherMs` to be filled together with
 * others.
 */
const placesFor = { quick: 128, troubled: 32 } as const;
const mostOpen = 1_000;
const connectionsAtOnce = 3;
const eventsOfOneLease = 100;
const requestsAtOnce = 8;
const beginsWithinMs = 20_000;
const leaseSeconds = 60;
const lookAgainMs = 100;
const gatherMs = 20;

/**
 * Numbers events and delivers due ones until none is left. Receivers are served concurrently, so that a slow one delays no other. When a
 * replica dies, another sends again under the same ids once the lease has ended.
 */
export async function deliverEvents(context: Context, stopped?: AbortSignal): Promise<void> {
  const { database, newId, now } = context;
  if (!(await isWorkDue(database, now()))) return;
  const open = new Set<Promise<void>>();
  const places = { quick: createPlaces(placesFor.quick, slowMs), troubled: createPlaces(placesFor.troubled, null) };
  const connections = createSemaphore(connectionsAtOnce, leaseSeconds * 1000);
  const faults: unknown[] = [];
  const ended = createSignal();
  for (let claimed = 1; claimed > 0 || open.size > 0; ) {
    claimed = 0;
    const waitForEnd = ended.arm();
    while ((await database.transaction(numberWaitingEvents)) === eventsOfOneNumbering);
    for (const kind of ['quick', 'troubled'] as const) {
      const limit = Math.min(places[kind].free(), mostOpen - open.size);
      if (limit <= 0 || stopped?.aborted) continue;
      const [token, at] = [newId(), now()];
      const leasedUntil = new Date(at.getTime() + leaseSeconds * 1000);
      for (const webhook of await claimWebhooks(database, { token, now: at, leasedUntil, troubled: kind === 'troubled', limit })) {
        claimed += 1;
        const serving = places[kind]
          .hold(serve(webhook, { token, connections, stopped }, context))
          .catch((fault) => void faults.push(fault))
          .finally(() => {
            open.delete(serving);
            ended.raise();
          });
        open.add(serving);
      }
    }
    if (open.size > 0 && (await waitForEnd(lookAgainMs)) && open.size > 0) await pause(gatherMs);
  }
  if (faults.length > 0)
    throw new AggregateError(faults, 'what became of some events was not written: they are sent again when the lease ends');
}

function createPlaces(count: number, longestMs: number | null) {
  let held = 0;
  return {
    free: () => count - held,
    async hold(work: Promise<void>): Promise<void> {
      held += 1;
      let holds = true;
      const leave = () => {
        held -= holds ? 1 : 0;
        holds = false;
      };
      const timer = longestMs === null ? undefined : setTimeout(leave, longestMs);
      await work.finally(() => {
        clearTimeout(timer);
        leave();
      });
    },
  };
}

/**
 * Delivers due events of a webhook: one event after a failure, else a whole lease. Events of one object go one after another, and wait when
 * one of them fails. Events beyond the limits wait for the next minute.
 */
async function serve(webhook: ClaimedWebhook, { token, connections, stopped }: Serving, context: Context): Promise<void> {
  const { database, now, random, webhookSignal, log } = context;
  const startedAt = performance.now();
  const limit = webhook.failures > 0 ? 1 : eventsOfOneLease;
  const at = now();
  const due = await connections.run(() => selectDueEvents(database, webhook.id, at, limit));
  const granted = await connections.run(() => claimDeliveries(webhook, due.length, at, context));
  const events = due.slice(0, granted);
  const queues = [...Map.groupBy(events, ({ object }) => object).values()];
  const attempts: Attempt[] = [];
  let refused: ReceiverResponse | null = null;
  const mayGoOn = () => refused === null && !stopped?.aborted && performance.now() - startedAt < beginsWithinMs;
  async function work(): Promise<void> {
    for (let queue = queues.shift(); queue && mayGoOn(); queue = queues.shift()) {
      for (const event of queue) {
        if (!mayGoOn()) break;
        const response = await send(webhook, event, context);
        attempts.push({ event, response });
        if (!isSuccess(response)) refused = response;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(requestsAtOnce, queues.length) }, work));
  crashPoint('notifications.webhook.after-send');
  const result = deliveredOf(webhook, token, attempts, now(), random);
  const delivered = events.length < due.length ? { ...result, notBefore: result.notBefore ?? nextMinute(at) } : result;
  if (!(await connections.run(() => database.transaction((tx) => recordDelivery(tx, delivered)))))
    log.warn({ webhook_id: webhook.id }, 'the lease of a webhook ended before its deliveries were written: they are sent again');
  const { failures, ends, notBefore } = delivered;
  const response: ReceiverResponse | undefined = attempts.find((attempt) => !isSuccess(attempt.response))?.response;
  if (response) log.warn({ webhook_id: webhook.id, status: response.status, failures, ends }, 'a webhook took an event not');
  if (notBefore) webhookSignal.raiseAfter(notBefore.getTime() - now().getTime());
}

/**
 * Counts events against the limits of webhook and host before they are sent. Returns how many may be sent. Hosts that the operator names
 * have no limit.
 */
async function claimDeliveries({ id, url }: ClaimedWebhook, wanted: number, now: Date, { database, webhooks }: Context): Promise<number> {
  if (wanted === 0 || isAllowedHost(new URL(url), webhooks.addresses.allowedHosts)) return wanted;
  const ofWebhook = await claimRequests(database, { host: id, kind: 'events', wanted, limit: eventsOfWebhookInMinute, now });
  const ofHost = { host: hostOf(url), kind: 'events', wanted: ofWebhook, limit: eventsOfHostInMinute, now } as const;
  return ofWebhook === 0 ? 0 : await claimRequests(database, ofHost);
}

interface Serving {
  readonly token: string;
  readonly connections: Semaphore;
  readonly stopped: AbortSignal | undefined;
}

interface Attempt {
  readonly event: DueEvent;
  readonly response: ReceiverResponse;
}

const isSuccess = ({ status }: ReceiverResponse) => status !== null && status >= 200 && status < 300;

function send(
  webhook: ClaimedWebhook,
  { number, body }: DueEvent,
  { webhooks: { receivers, key }, now }: Context,
): Promise<ReceiverResponse> {
  const { id, url, secret_number: current, signs_with_old_secret } = webhook;
  const secrets = (signs_with_old_secret ? [current, current - 1] : [current]).map((secret) => webhookSecret(key, id, secret));
  const headers = { 'content-type': 'application/json', ...signWebhook({ id: messageId(id, number), at: now(), body, secrets }) };
  return receivers.post({ url, headers, body });
}

function deliveredOf(webhook: ClaimedWebhook, token: string, attempts: readonly Attempt[], now: Date, random: () => number): Delivered {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const failed = attempts.filter(({ response }) => !isSuccess(response));
  const failures = failed.length > 0 ? webhook.failures + 1 : attempts.length > 0 ? 0 : webhook.failures;
  const retryAfter = Math.max(0, ...failed.map(({ response }) => response.retryAfterSeconds));
  const average = attempts.reduce((sum, { response }) => sum + response.durationMs, 0) / Math.max(1, attempts.length);
  return {
    webhookId: webhook.id,
    token,
    attempted: attempts.map(({ event, response }) => {
      const tries = event.attempts + 1;
      const isDead = !isSuccess(response) && new Date(event.give_up_at) <= now;
      return {
        number: event.number,
        object: event.object,
        state: isSuccess(response) ? 'delivered' : isDead ? 'dead' : 'pending',
        attempts: tries,
        due_at: (isSuccess(response) ? now : after(eventDelaySeconds(tries, random()))).toISOString(),
        status: response.status,
        detail: response.detail,
      };
    }),
    failures,
    troubled: failures > 0 || average > slowMs,
    ends: failed.some(({ response }) => response.status === 410),
    notBefore: failed.length > 0 ? after(webhookDelaySeconds(failures, retryAfter, random())) : null,
  };
}
