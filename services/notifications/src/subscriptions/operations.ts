import type { Operation } from '@corner/chassis';
import { longestDigest, type notifications, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { faultOfAddress } from './adapters/address.ts';
import { signWebhook, webhookSecret } from './crypto.ts';
import { messageId } from './rules/numbering.ts';
import { challengeReceiver } from './sagas/challenge.ts';
import { readDigest, selectEvents, selectRange } from './tables/events.ts';
import { selectWebhook, selectWebhooks, type WebhookRow } from './tables/webhooks.ts';
import {
  checkActive,
  createTestEvent,
  repeatEvent,
  rotateSecret,
  stopWebhook,
  createWebhook as toCreate,
  updateWebhook as toUpdate,
} from './transactions.ts';

/** The secret is derived from the webhook's id, so a repeat returns the same one although none is stored. */
export const createWebhook: Operation<typeof notifications.createWebhook, Context> = async (
  { caller, params, body, idempotencyKey },
  context,
) => {
  const { database, newId, webhooks } = context;
  refuseAddress(body.url, webhooks);
  const requestKey = idempotencyKey === undefined ? null : `${caller.id} ${idempotencyKey}`;
  const webhook = await database.transaction((tx) => toCreate(tx, { id: newId(), storeId: params.store_id, requestKey, ...body }));
  return { webhook: await challenged(webhook, params.store_id, context), secret: webhookSecret(webhooks.key, webhook.id, 1) };
};

export const listWebhooks: Operation<typeof notifications.listWebhooks, Context> = async ({ params }, { database, now }) => ({
  webhooks: [...(await selectWebhooks(database, params.store_id, now()))],
});

export const updateWebhook: Operation<typeof notifications.updateWebhook, Context> = async ({ params, body }, context) => {
  const { database, webhooks, webhookSignal } = context;
  refuseAddress(body.url, webhooks);
  const webhook = await database.transaction((tx) => toUpdate(tx, named(params), body));
  webhookSignal.raise();
  return { webhook: await challenged(webhook, params.store_id, context) };
};

export const challengeWebhook: Operation<typeof notifications.challengeWebhook, Context> = async ({ params }, context) => {
  await context.database.transaction((tx) => checkActive(tx, named(params)));
  const response = await challengeReceiver(named(params), context);
  const webhook = await selectWebhook(context.database, params.store_id, params.webhook_id, context.now());
  if (!webhook) throw new Problem('WEBHOOK_NOT_FOUND');
  return { webhook, response: response && { status: response.status, detail: response.detail } };
};

/**
 * Challenges a new address at once and returns the webhook's state after that. A host that was challenged often must be challenged on
 * demand.
 */
async function challenged(webhook: WebhookRow, storeId: string, context: Context): Promise<WebhookRow> {
  if (webhook.state !== 'unconfirmed') return webhook;
  await challengeReceiver({ storeId, id: webhook.id }, context).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
  });
  return (await selectWebhook(context.database, storeId, webhook.id, context.now())) ?? webhook;
}

export const endWebhook: Operation<typeof notifications.endWebhook, Context> = async ({ params }, { database }) => ({
  webhook: await database.transaction((tx) => stopWebhook(tx, named(params))),
});

/** A repeat returns the same new secret. */
export const rotateWebhookSecret: Operation<typeof notifications.rotateWebhookSecret, Context> = async (
  { caller, params, idempotencyKey },
  { database, webhooks },
) => {
  const key = idempotencyKey === undefined ? null : `${caller.id} ${idempotencyKey}`;
  const { webhook, secretNumber } = await database.transaction((tx) => rotateSecret(tx, named(params), key));
  return { webhook, secret: webhookSecret(webhooks.key, webhook.id, secretNumber) };
};

export const testWebhook: Operation<typeof notifications.testWebhook, Context> = async ({ params }, { database, webhookSignal }) => {
  const event_id = await database.transaction((tx) => createTestEvent(tx, named(params)));
  webhookSignal.raise();
  return { event_id };
};

export const repeatWebhookEvent: Operation<typeof notifications.repeatWebhookEvent, Context> = async (
  { params },
  { database, webhookSignal },
) => {
  const number = Number(params.number);
  await database.transaction((tx) => repeatEvent(tx, named(params), number));
  webhookSignal.raise();
  return { number };
};

export const listEvents: Operation<typeof notifications.listEvents, Context> = async ({ query }, { database }) => {
  const { store_id: storeId, webhook_id: webhookId, after, limit, state = null } = query;
  const range = await selectRange(database, storeId, webhookId);
  if (!range) throw new Problem('WEBHOOK_NOT_FOUND');
  const rows = await selectEvents(database, webhookId, { after, limit, state });
  return {
    events: rows.map(({ number, type, payload, ...delivery }) => ({ number, id: messageId(webhookId, number), type, payload, delivery })),
    first_number: range.first_number,
    last_number: range.last_number,
  };
};

export const readEventsDigest: Operation<typeof notifications.readEventsDigest, Context> = async (
  { query },
  { database, webhooks, now, newId },
) => {
  const { store_id: storeId, webhook_id, from, to } = query;
  const range = await selectRange(database, storeId, webhook_id);
  if (!range) throw new Problem('WEBHOOK_NOT_FOUND');
  if (from < range.first_number || to > range.last_number || to < from || to - from >= longestDigest) throw new Problem('EVENTS_NOT_KEPT');
  const { count, hash } = await readDigest(database, webhook_id, from, to);
  const body = [webhook_id, from, to, count, hash].join(':');
  const headers = signWebhook({ id: newId(), at: now(), body, secrets: [webhookSecret(webhooks.key, webhook_id, range.secret_number)] });
  const signed = { body, id: headers['webhook-id'], timestamp: headers['webhook-timestamp'], signature: headers['webhook-signature'] };
  return { webhook_id, from, to, count, hash, signed };
};

const named = ({ store_id, webhook_id }: { readonly store_id: string; readonly webhook_id: string }) => ({
  storeId: store_id,
  id: webhook_id,
});

/** Throws WEBHOOK_ADDRESS_REFUSED, with the reason, for an address that is never called. */
function refuseAddress(url: string | null | undefined, { addresses }: Context['webhooks']): void {
  const fault = url ? faultOfAddress(url, addresses) : null;
  if (fault) throw new Problem('WEBHOOK_ADDRESS_REFUSED', { message: `body.url: ${fault}.` });
}
