import { createHash } from 'node:crypto';
import { publicEventTypes } from '@corner/contracts';
import { people } from '@corner/sandbox/demo';
import { type Breach, breaches } from '@corner/simulation';
import type pg from 'pg';
import { callApi } from '../../testing/call-api.ts';
import type { Stage } from '../stage.ts';
import type { Receivers, RunWebhook, Stored } from './receivers.ts';

export const ownerTokenOf = ({ system, directory }: Stage): Promise<string> =>
  system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: directory.stores.map(({ id }) => id), ttlSeconds: 600 });

const longestDigest = 100_000;

/**
 * Compares the stored events with those the services published. Every public event of a store has a number at each of its webhooks; each
 * receiver has all numbers from 1 on with one body each, and each order's events in order; and the digest of the interface matches the
 * stored events.
 */
export async function webhooksAgree(client: pg.Client, stage: Stage, { all, webhooks }: Receivers): Promise<Breach[]> {
  if (webhooks.length === 0) return [];
  const stored = Map.groupBy(
    all.flatMap((receiver) => receiver.stored()),
    ({ webhookId }) => webhookId,
  );
  const token = await ownerTokenOf(stage);
  const ofEach: Breach[] = [];
  for (const webhook of webhooks) ofEach.push(...(await webhookAgrees(client, stage, token, webhook, stored.get(webhook.id) ?? [])));
  return [
    ...breaches(
      'wrong',
      'a request of a webhook is signed',
      all.flatMap((receiver) => receiver.refused()),
    ),
    ...(await unnumbered(client)),
    ...ofEach,
  ];
}

async function unnumbered(client: pg.Client): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const producer of ['orders', 'loyalty', 'queue']) {
    const { rows } = await client.query(
      `select o.type, o.event_id, w.id as webhook_id from ${producer}.outbox o join notifications.webhook w on w.store_id = o.store_id
       where o.type = any($1) and not exists (
         select from notifications.webhook_event e where e.event_id = o.event_id and e.webhook_id = w.id)`,
      [publicEventTypes],
    );
    found.push(...breaches('lost', 'a public event has a number at each webhook of its store', rows));
  }
  return found;
}

async function webhookAgrees(
  client: pg.Client,
  { system }: Stage,
  token: string,
  { id, storeId, receiver }: RunWebhook,
  stored: readonly Stored[],
): Promise<Breach[]> {
  const { rows } = await client.query<{ last_number: string }>('select last_number from notifications.webhook where id = $1', [id]);
  const last = Number(rows[0]?.last_number);
  const hashes = new Map(stored.map(({ number, hash }) => [number, hash]));
  const differing = stored.filter(({ number, hash }) => hashes.get(number) !== hash);
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter((number) => !hashes.has(number));
  const where = { webhook: id, receiver: receiver.way, last };
  const digests: Breach[] = [];
  for (let from = 1; from <= last && missing.length === 0; from += longestDigest) {
    const to = Math.min(last, from + longestDigest - 1);
    const query = new URLSearchParams({ store_id: storeId, webhook_id: id, from: String(from), to: String(to) });
    const { count, hash } = await callApi(system, 'GET', `/events/digest?${query}`, token);
    const own = digestOf(hashes, from, to);
    if (count !== own.count || hash !== own.hash)
      digests.push(...breaches('wrong', 'both digests are the same', [{ ...where, from, to, count, hash, own }]));
  }
  return [
    ...breaches(
      'lost',
      'a receiver has every number',
      missing.length > 0 ? [{ ...where, missing: missing.length, first: missing[0] }] : [],
    ),
    ...breaches('wrong', 'a receiver has no further number', hashes.size + missing.length > last ? [{ ...where, has: hashes.size }] : []),
    ...breaches('wrong', 'a number has one body', differing),
    ...breaches('wrong', 'the events of an order arrive in their order', outOfOrder(stored)),
    ...digests,
  ];
}

function digestOf(hashes: ReadonlyMap<number, string>, from: number, to: number) {
  const digest = createHash('sha256');
  let count = 0;
  for (let number = from; number <= to; number += 1) {
    const hash = hashes.get(number);
    if (hash === undefined) continue;
    count += 1;
    digest.update(`${number} ${hash}\n`);
  }
  return { count, hash: digest.digest('hex') };
}

function outOfOrder(stored: readonly Stored[]): Stored[] {
  const arrived = new Set<number>();
  const highest = new Map<string, number>();
  return stored.filter(({ number, orderId }) => {
    if (orderId === null || arrived.has(number)) return false;
    arrived.add(number);
    const before = highest.get(orderId) ?? 0;
    highest.set(orderId, Math.max(before, number));
    return number < before;
  });
}
