import { type Body, pathTo, type Reply } from '../../../../logic/platform.ts';
import { readAgain } from '../../../../shell/queries.ts';
import { send } from '../../send.ts';

export type SecretReply = Reply<'POST /api/v1/notifications/stores/{store_id}/webhooks'>;
type Fields = Body<'POST /api/v1/notifications/stores/{store_id}/webhooks'>;

const one = '/api/v1/notifications/stores/{store_id}/webhooks/{webhook_id}';

export const webhooksPath = (store_id: string) => pathTo('/api/v1/notifications/stores/{store_id}/webhooks', { store_id });

interface EventsPage {
  readonly after: number;
  readonly limit: number;
  readonly state?: 'dead' | undefined;
}

export const eventsPath = (store_id: string, webhook_id: string, page: EventsPage) =>
  pathTo('/api/v1/events', { store_id, webhook_id, ...page });

async function changing<T>(storeId: string, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } finally {
    await readAgain(webhooksPath(storeId), '/api/v1/events?');
  }
}

export const createWebhook = (store_id: string, body: Fields, key: string) =>
  changing(store_id, send('POST /api/v1/notifications/stores/{store_id}/webhooks', { of: store_id, at: { store_id }, body, key }));

const ofOne = (store_id: string, webhook_id: string, of = webhook_id) => ({ of, at: { store_id, webhook_id } });

export const updateWebhook = (storeId: string, id: string, body: Partial<Fields>, key: string) =>
  changing(storeId, send(`PATCH ${one}`, { ...ofOne(storeId, id), body, key }));

export const endWebhook = (storeId: string, id: string, key: string) =>
  changing(storeId, send(`DELETE ${one}`, { ...ofOne(storeId, id), key }));

export const rotateSecret = (storeId: string, id: string, key: string) =>
  changing(storeId, send(`POST ${one}/rotate-secret`, { ...ofOne(storeId, id), key }));

export const testWebhook = (storeId: string, id: string) => send(`POST ${one}/test`, ofOne(storeId, id, `test ${id}`));

export const challengeWebhook = (storeId: string, id: string) =>
  changing(storeId, send(`POST ${one}/challenge`, ofOne(storeId, id, `challenge ${id}`)));

export const repeatEvent = (store_id: string, webhook_id: string, number: number) =>
  changing(store_id, send(`POST ${one}/events/{number}/repeat`, { of: `${webhook_id} ${number}`, at: { store_id, webhook_id, number } }));
