import { randomUUID } from 'node:crypto';
import { type CornerClient, createClient } from '@corner/client';
import { people, stores, tags } from '@corner/sandbox/demo';
import { tapTag } from '@corner/sandbox/tags';
import type { HTTPRequest, Page } from 'puppeteer-core';
import type { TestEnvironment } from '../../testing/test-environment.ts';

export async function counterOf({ system }: TestEnvironment, shopUrl: string) {
  const claims = { typ: 'merchant', sub: people.bo.id, stores: [stores.coffee.id, stores.cuts.id], name: people.bo.name } as const;
  const owner: CornerClient = createClient({ baseUrl: system.gatewayUrl, token: await system.tokens.token(claims) });
  const store_id = stores.coffee.id;
  let taps = 0;
  return {
    owner,
    tapped(): string {
      taps += 1;
      const { nfc_key_version, nfc_picc_data, nfc_cmac } = tapTag(tags[0].uid, taps, {});
      return `${shopUrl}/t?store=${stores.coffee.code}&key_version=${nfc_key_version}&picc_data=${nfc_picc_data}&cmac=${nfc_cmac}`;
    },
    async grantStamps(customer_id: string, stamps: number): Promise<void> {
      for (let stamp = 0; stamp < stamps; stamp += 1)
        await owner.POST('/api/v1/loyalty/stamps', { body: { store_id, customer_id, idempotency_key: randomUUID() } });
    },
    async stampsOf(customer_id: string): Promise<number> {
      return (await owner.GET('/api/v1/loyalty/customer-state', { params: { query: { store_id, customer_id } } })).data.stamp_count;
    },
    queue: async () =>
      (await owner.GET('/api/v1/queue/entries', { params: { query: { store_id: stores.cuts.id } } })).data.entries.filter(
        ({ customer_id }) => customer_id !== null,
      ),
    async moveEntry(entry_id: string, to: 'call' | 'recall' | 'assign' | 'complete'): Promise<void> {
      await owner.POST(`/api/v1/queue/entries/{entry_id}/${to}`, { params: { path: { entry_id } }, body: { store_id: stores.cuts.id } });
    },
  };
}

/** Reads the session that the pages keep; empty without a customer. */
export const customerIdOf = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('corner.session') ?? '{}').customer_id ?? '');

export async function loseReply(page: Page, path: string): Promise<() => number> {
  let posts = 0;
  await page.setRequestInterception(true);
  const handle = async (request: HTTPRequest) => {
    if (request.method() !== 'POST' || new URL(request.url()).pathname !== path) return await request.continue();
    posts += 1;
    if (posts > 1) return await request.continue();
    await fetch(request.url(), { method: 'POST', headers: request.headers(), body: request.postData() ?? '' });
    await request.abort();
  };
  page.on('request', (request) => void handle(request));
  return () => posts;
}
