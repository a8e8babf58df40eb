import { pathTo, type Reply } from '../../logic/platform.ts';
import { readAgain } from '../../shell/queries.ts';
import { send } from './send.ts';

const written = '/api/v1/notifications/stores/{store_id}/messages';
export type Written = Reply<`GET ${typeof written}`>;
export type WrittenMessage = Written['messages'][number];

export const writtenPath = (store_id: string, customer_id: string) => pathTo(written, { store_id, customer_id });

export async function writeTo(store_id: string, customer_id: string, text: string, key: string): Promise<void> {
  await send(`POST ${written}`, { of: customer_id, at: { store_id }, body: { customer_id, text }, key });
  await readAgain(writtenPath(store_id, customer_id));
}
