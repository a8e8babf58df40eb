import type { Transaction } from '@corner/chassis';
import { Problem, webhookTest } from '@corner/contracts';
import { numberEvents } from './rules/numbering.ts';
import { giveUpAfter, mostWebhooks, oldSecretUntil } from './rules/retries.ts';
import {
  type Attempted,
  type GivenBack,
  giveBackWebhook,
  giveUpEvents,
  lockLeased,
  postponeObjects,
  recordAttempts,
} from './tables/deliveries.ts';
import {
  insertNumberedEvents,
  insertWaitingEvent,
  lockWaitingEvents,
  lockWebhooksOf,
  reopenEvent,
  selectNumbered,
} from './tables/events.ts';
import {
  changeWebhook,
  confirmReceiver,
  countActiveWebhooks,
  endWebhook,
  findWebhookOfRequest,
  hurryWebhook,
  insertWebhook,
  lockStore,
  lockWebhook,
  type NewWebhook,
  replaceSecret,
  selectWebhook,
  type WebhookChanges,
  type WebhookRow,
} from './tables/webhooks.ts';

export interface WebhookOfStore {
  readonly storeId: string;
  readonly id: string;
}

/** A repeat under the same key returns the first webhook. Throws STORE_NOT_FOUND and TOO_MANY_WEBHOOKS. */
export async function createWebhook(tx: Transaction, webhook: Omit<NewWebhook, 'challenge'>): Promise<WebhookRow> {
  const { storeId, requestKey } = webhook;
  if (!(await lockStore(tx, storeId))) throw new Problem('STORE_NOT_FOUND');
  const known = requestKey === null ? null : await findWebhookOfRequest(tx, storeId, requestKey);
  if (known === null) {
    await refuseTooMany(tx, storeId);
    await insertWebhook(tx, { ...webhook, challenge: webhook.url === null ? null : tx.newId() });
  }
  return await read(tx, { storeId, id: known ?? webhook.id });
}

/**
 * Changes a webhook and reactivates it. The receiver must agree first when its address changed or the webhook had ended. Throws
 * WEBHOOK_NOT_FOUND and TOO_MANY_WEBHOOKS.
 */
export async function updateWebhook(tx: Transaction, of: WebhookOfStore, changes: WebhookChanges): Promise<WebhookRow> {
  await lockStore(tx, of.storeId);
  const { is_ended, url } = await lock(tx, of);
  if (is_ended) await refuseTooMany(tx, of.storeId);
  const next = changes.url === undefined ? url : changes.url;
  const asks = next !== null && (is_ended || next !== url);
  await changeWebhook(tx, of.id, { ...changes, ...(asks ? { challenge: tx.newId() } : {}) });
  return await read(tx, of);
}

/** Confirms a webhook whose receiver returned the challenge. Returns false when that is no longer the webhook's challenge. */
export async function confirmWebhook(tx: Transaction, of: WebhookOfStore, challenge: string): Promise<boolean> {
  const webhook = await lockWebhook(tx, of.storeId, of.id);
  if (webhook?.challenge !== challenge || webhook.is_ended) return false;
  await confirmReceiver(tx, of.id);
  return true;
}

/** Throws WEBHOOK_NOT_FOUND. A repeat changes nothing. */
export async function stopWebhook(tx: Transaction, of: WebhookOfStore): Promise<WebhookRow> {
  await lock(tx, of);
  await endWebhook(tx, of.id);
  return await read(tx, of);
}

/** Once for a key. Returns the number of the new secret. Throws WEBHOOK_NOT_FOUND. */
export async function rotateSecret(tx: Transaction, of: WebhookOfStore, rotationKey: string | null) {
  const { secret_number, rotation_key } = await lock(tx, of);
  const isRepeat = rotationKey !== null && rotation_key === rotationKey;
  const secretNumber = isRepeat ? secret_number : await replaceSecret(tx, of.id, oldSecretUntil(tx.now), rotationKey);
  return { webhook: await read(tx, of), secretNumber };
}

/** Returns the event's id. Throws WEBHOOK_NOT_FOUND and WEBHOOK_ENDED. */
export async function createTestEvent(tx: Transaction, of: WebhookOfStore): Promise<string> {
  await checkActive(tx, of);
  const [event_id, at] = [tx.newId(), tx.now.toISOString()];
  const { type, version } = webhookTest;
  const data = { store_id: of.storeId, at };
  await insertWaitingEvent(tx, { webhook_id: of.id, store_id: of.storeId, event_id, type, version, object: event_id, at, data });
  return event_id;
}

/** Throws WEBHOOK_NOT_FOUND, WEBHOOK_ENDED and WEBHOOK_EVENT_NOT_FOUND. */
export async function repeatEvent(tx: Transaction, of: WebhookOfStore, number: number): Promise<void> {
  await checkActive(tx, of);
  if (!(await reopenEvent(tx, of.id, number, giveUpAfter(tx.now)))) throw new Problem('WEBHOOK_EVENT_NOT_FOUND');
  await hurryWebhook(tx, of.id);
}

export const eventsOfOneNumbering = 500;

/** Returns how many events had waited for a number: `eventsOfOneNumbering` when there may be more. */
export async function numberWaitingEvents(tx: Transaction): Promise<number> {
  const waiting = await lockWaitingEvents(tx, eventsOfOneNumbering);
  if (waiting.length === 0) return 0;
  const webhooks = await lockWebhooksOf(tx, [...new Set(waiting.map(({ store_id }) => store_id))]);
  const numbered = await selectNumbered(
    tx,
    waiting.map(({ event_id }) => event_id),
  );
  const known = new Set(numbered.map(({ webhook_id, event_id }) => `${webhook_id} ${event_id}`));
  const events = numberEvents(waiting, webhooks, (webhookId, eventId) => known.has(`${webhookId} ${eventId}`));
  await insertNumberedEvents(tx, { events, positions: waiting.map(({ position }) => position), giveUpAt: giveUpAfter(tx.now) });
  return waiting.length;
}

export interface Delivered extends GivenBack {
  readonly webhookId: string;
  readonly token: string;
  readonly attempted: readonly (Attempted & { readonly object: string })[];
}

/** Returns false, and writes nothing, when another lease has taken over. */
export async function recordDelivery(tx: Transaction, { webhookId, token, attempted, ...givenBack }: Delivered): Promise<boolean> {
  if (!(await lockLeased(tx, webhookId, token))) return false;
  if (attempted.length > 0) await recordAttempts(tx, webhookId, attempted);
  const failed = attempted.filter(({ state }) => state !== 'delivered');
  const [last] = failed;
  if (last) {
    await postponeObjects(
      tx,
      webhookId,
      failed.filter(({ state }) => state === 'pending'),
    );
    await giveUpEvents(tx, webhookId, last);
  }
  await giveBackWebhook(tx, webhookId, givenBack);
  return true;
}

async function lock(tx: Transaction, { storeId, id }: WebhookOfStore) {
  const webhook = await lockWebhook(tx, storeId, id);
  if (!webhook) throw new Problem('WEBHOOK_NOT_FOUND');
  return webhook;
}

/** Locks a webhook. Throws WEBHOOK_NOT_FOUND and WEBHOOK_ENDED. */
export async function checkActive(tx: Transaction, of: WebhookOfStore): Promise<void> {
  if ((await lock(tx, of)).is_ended) throw new Problem('WEBHOOK_ENDED');
}

async function refuseTooMany(tx: Transaction, storeId: string): Promise<void> {
  if ((await countActiveWebhooks(tx, storeId)) >= mostWebhooks) throw new Problem('TOO_MANY_WEBHOOKS');
}

async function read(tx: Transaction, { storeId, id }: WebhookOfStore): Promise<WebhookRow> {
  const webhook = await selectWebhook(tx, storeId, id, tx.now);
  if (!webhook) throw new Problem('WEBHOOK_NOT_FOUND');
  return webhook;
}
