import { randomUUID } from 'node:crypto';
import { directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from '../../testing/running.ts';
import { saveStore } from '../tables/directory.ts';

export const preferencesClient = (running: () => Running) => ({
  async store(name = 'Corner Coffee'): Promise<string> {
    const id = randomUUID();
    const snapshot = directoryStore.data.parse({ id, version: 1, code: 'S1', name });
    await running().service.database.transaction((tx) => saveStore(tx, snapshot));
    return id;
  },

  /** `claims` replace those of the customer's token. */
  customer(claims: Record<string, unknown> = {}) {
    const sub = randomUUID();
    const call = async (method: string, path: string, body?: unknown) => {
      const token = await running().issuer.token({ typ: 'customer', sub, scope: 'customer:read', ...claims });
      const response = await fetch(`${running().service.url}/api/v1/notifications/${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read the body as a client would
      return { status: response.status, body: (await response.json()) as any };
    };
    return {
      sub,
      answer: (store_id: string, accepted: unknown, shown?: unknown) => call('POST', 'marketing-opt-in', { store_id, accepted, shown }),
      ask: (storeId: string) => call('GET', `marketing-ask?store_id=${storeId}`),
      update: (storeId: string, toggles: Record<string, unknown>) => call('POST', 'preferences', { storeId, ...toggles }),
      list: () => call('GET', 'preferences'),
      preferences: async () => (await call('GET', 'preferences')).body.preferences,
    };
  },

  published: async (customerId: string) =>
    await running().service.database.any(sql.type(z.object({ type: z.string(), sequence: z.number(), data: z.any() }))`
      select type, aggregate_sequence as sequence, data from outbox where customer_id = ${customerId} order by id`),

  recordOf: async (customerId: string) =>
    await running().service.database.anyFirst(sql.type(z.object({ row: z.record(z.string(), z.unknown()) }))`
      select to_jsonb(consent) - 'customer_id' - 'store_id' - 'at' as row from consent where customer_id = ${customerId} order by sequence`),

  asksOf: async (customerId: string) =>
    await running().service.database.oneFirst(
      sql.type(z.object({ asks: z.number() }))`select asks from marketing_ask where customer_id = ${customerId}`,
    ),
});
