import { type DirectoryFile, findUnknownAccounts } from '@corner/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { callService } from '../call-service.ts';

const page = 50;

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

export const findLooseSettings = ({ programmes }: DirectoryFile): string[] =>
  programmes.flatMap(({ codes_without_proof, multi_stamp }, at) => [
    ...(codes_without_proof === 'count'
      ? [
          `programmes[${at}].codes_without_proof: stamps count at once without the proof of a tap, so customers can give themselves stamps from anywhere; "wait" makes staff approve them`,
        ]
      : []),
    ...(multi_stamp.enabled && multi_stamp.staff_card_without_tap === 'accept'
      ? [
          `programmes[${at}].multi_stamp.staff_card_without_tap: a customer who has seen the token id of an auth card once can confirm their own stamps with it; "refuse" asks for a tap at the store too`,
        ]
      : []),
  ]);
