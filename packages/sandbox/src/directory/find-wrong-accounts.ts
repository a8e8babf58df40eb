import { type DirectoryFile, findUnknownAccounts } from '@corner/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { callService } from './call-service.ts';

/** Accounts in one call, the most that the RPC allows. */
const page = 50;

/**
 * Asks orders which accounts of the stores the payment provider does not know, and returns one fault for each, with its place in the file.
 * Rejects when orders or the provider does not answer.
 */
export async function findWrongAccounts(
  { stores }: DirectoryFile,
  to: { readonly connection: NatsConnection; readonly namespace: string },
): Promise<readonly string[]> {
  const named = stores.flatMap(({ connected_account_id: id }, at) => (id ? [{ id, at }] : []));
  const unknown = new Set<string>();
  for (let from = 0; from < named.length; from += page) {
    const reply = await callService(to, findUnknownAccounts, { account_ids: named.slice(from, from + page).map(({ id }) => id) });
    for (const id of reply.unknown) unknown.add(id);
  }
  return named
    .filter(({ id }) => unknown.has(id))
    .map(({ id, at }) => `stores[${at}].connected_account_id: ${id} is not known to the payment provider`);
}
