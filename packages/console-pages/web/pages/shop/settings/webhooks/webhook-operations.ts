import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { readAgain } from '../../../../shell/queries.ts';
import { query, send } from '../../send.ts';
import type { WebhookFields } from './webhooks.ts';

export type WebhooksReply = z.output<typeof contracts.notifications.listWebhooks.reply>;
export type SecretReply = z.output<typeof contracts.notifications.rotateWebhookSecret.reply>;
type ChallengeReply = z.output<typeof contracts.notifications.challengeWebhook.reply>;
export type EventsReply = z.output<typeof contracts.notifications.listEvents.reply>;

export const webhooksPath = (storeId: string): string => `/api/v1/notifications/stores/${encodeURIComponent(storeId)}/webhooks`;
const onePath = (storeId: string, id: string): string => `${webhooksPath(storeId)}/${encodeURIComponent(id)}`;

interface EventsPage {
  readonly after: number;
  readonly limit: number;
  readonly state?: 'dead' | undefined;
}

const eventsOf = '/api/v1/events?';
/** The path of the events of a webhook after a number. */
export const eventsPath = (store_id: string, webhook_id: string, page: EventsPage): string =>
  `${eventsOf}${query({ store_id, webhook_id, ...page })}`;

/** Runs a change, and then reads the webhooks and their events again, also after a refusal. */
async function changing<T>(storeId: string, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } finally {
    await readAgain(webhooksPath(storeId), eventsOf);
  }
}

export const createWebhook = (storeId: string, body: WebhookFields, key: string) =>
  changing(storeId, send<SecretReply>({ of: storeId, path: webhooksPath(storeId), body, key }));

export const updateWebhook = (storeId: string, id: string, body: Partial<WebhookFields>, key: string) =>
  changing(storeId, send<unknown>({ of: id, method: 'PATCH', path: onePath(storeId, id), body, key }));

export const endWebhook = (storeId: string, id: string, key: string) =>
  changing(storeId, send<unknown>({ of: id, method: 'DELETE', path: onePath(storeId, id), key }));

export const rotateSecret = (storeId: string, id: string, key: string) =>
  changing(storeId, send<SecretReply>({ of: id, path: `${onePath(storeId, id)}/rotate-secret`, key }));

/** Returns the id of the test event. Its number is known a moment later. */
export const testWebhook = (storeId: string, id: string) =>
  send<{ readonly event_id: string }>({ of: `test ${id}`, path: `${onePath(storeId, id)}/test` });

/** Asks the receiver again whether it wants events. Returns what it responded. */
export const challengeWebhook = (storeId: string, id: string) =>
  changing(storeId, send<ChallengeReply>({ of: `challenge ${id}`, path: `${onePath(storeId, id)}/challenge` }));

export const repeatEvent = (storeId: string, id: string, number: number) =>
  changing(storeId, send<unknown>({ of: `${id} ${number}`, path: `${onePath(storeId, id)}/events/${number}/repeat` }));
