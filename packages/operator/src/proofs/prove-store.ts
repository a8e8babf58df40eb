import { longestDigest, notifications, orders } from '@corner/contracts';
import { z } from 'zod';
import type { BookKeySet } from './read-jws.ts';
import { verifyBooks } from './verify-books.ts';

/** Sends a GET to the gateway as someone who manages the store, and returns the text of the response. Throws when it is refused. */
export type Get = (path: string) => Promise<string>;

export interface ProvedLink {
  readonly link: string;
  readonly found: string;
  readonly faults: readonly string[];
  readonly state: ProvedState;
  /** The hash of the last closed day; null when none is closed, absent for another link. */
  readonly hash?: string | null;
}

/** `so_far`: days are open, or events wait; `nothing_yet`: nothing can be proved before a day is closed, or an event is sent. */
export type ProvedState = 'complete' | 'so_far' | 'nothing_yet' | 'not_complete';

const linkOf = (link: Omit<ProvedLink, 'state'>, { proved, more }: { readonly proved: number; readonly more: number }): ProvedLink => {
  const state = proved === 0 ? 'nothing_yet' : more > 0 ? 'so_far' : 'complete';
  return { ...link, state: link.faults.length > 0 ? 'not_complete' : state };
};

/** Returns the verdict on all links together, which the command and the console's page give. */
export function verdictOf(links: readonly Pick<ProvedLink, 'state'>[]): ProvedState {
  const all = (state: ProvedState) => links.every((link) => link.state === state);
  if (links.some(({ state }) => state === 'not_complete')) return 'not_complete';
  return all('nothing_yet') ? 'nothing_yet' : all('complete') ? 'complete' : 'so_far';
}

export interface StoreRange {
  readonly storeId: string;
  readonly from: string;
  readonly to: string;
}

/** Milliseconds after the end of a day, in UTC, within which it is closed and signed in every time zone. */
const closedWithinMs = 2 * 86_400_000;

/**
 * Proves the closed days of a range by the public keys, and names open days. An open day is a fault when it ended two days ago, or when a
 * later day is closed, unless the store's first day is after it.
 */
export async function proveDays(get: Get, { storeId, from, to }: StoreRange, keys: BookKeySet, now = new Date()): Promise<ProvedLink> {
  const files: { readonly name: string; readonly text: string }[] = [];
  for (const date of daysOf(from, to))
    files.push({ name: date, text: await get(`/api/v1/orders/reports/book?store_id=${storeId}&date=${date}&format=csv`) });
  const isClosed = ({ text }: { readonly text: string }) => /^proof,/m.test(text);
  const [first, last] = [files.findIndex(isClosed), files.findLastIndex(isClosed)];
  const closed = files.slice(Math.max(0, first), last + 1);
  const open = files.slice(last + 1).map(({ name }) => name);
  const verified = verifyBooks(closed, { store: storeId, date: closed[0]?.name ?? from, keys });
  const begins = verified[0]?.number ?? null;
  const before = begins === 1 ? [] : files.slice(0, Math.max(0, first)).map(({ name }) => name);
  // After a closed day each day is closed; without one, those from the store's first day on are.
  const firstDay = closed.length > 0 || open.length === 0 ? '' : await firstDayOf(get, storeId, to);
  const late = open.filter(
    (date) => firstDay !== null && date >= firstDay && now.getTime() - (Date.parse(date) + 86_400_000) > closedWithinMs,
  );
  const rows = verified.reduce((sum, book) => sum + book.rows, 0);
  const end = verified.at(-1)?.hash;
  const link = {
    link: 'closed days',
    found: `${closed.length} days, ${rows} rows${end ? `, ${end}` : ''}${open.length > 0 ? `; not closed yet: ${open.join(', ')}` : ''}`,
    faults: [
      ...before.map((date) => `${date}: it has no proof, and the day after the gap is number ${begins ?? 'unknown'} of the store`),
      ...verified.flatMap(({ file, faults }) => faults.map(({ line, why }) => `${file}: ${line === null ? '' : `line ${line}: `}${why}`)),
      ...late.map((date) => `${date}: it has no proof, and ended more than two days ago`),
    ],
  };
  return linkOf({ ...link, hash: end ?? null }, { proved: closed.length, more: open.length });
}

const Begun = orders.readDayBook.reply.pick({ first_day: true }).partial();

/** Returns a store's first day; null before it. A service of before 0.2 does not say it: empty, as a store that has one. */
async function firstDayOf(get: Get, storeId: string, date: string): Promise<string | null> {
  const { first_day = '' } = Begun.parse(JSON.parse(await get(`/api/v1/orders/reports/book?store_id=${storeId}&date=${date}`)));
  return first_day;
}

const Webhooks = notifications.listWebhooks.reply;
const Range = z.object({ first_number: z.int(), last_number: z.int() });
const Digest = notifications.readEventsDigest.reply;

export async function proveWebhooks(get: Get, storeId: string): Promise<ProvedLink[]> {
  const { webhooks } = Webhooks.parse(JSON.parse(await get(notifications.listWebhooks.path.replace('{store_id}', storeId))));
  const links: ProvedLink[] = [];
  for (const { id, state, waiting, dead, last_number } of webhooks) {
    if (state === 'ended') continue;
    const link = `webhook ${id}`;
    if (last_number === 0) {
      links.push(linkOf({ link, found: 'no event yet', faults: [] }, { proved: 0, more: 0 }));
      continue;
    }
    const { first_number: first } = Range.parse(JSON.parse(await get(`/api/v1/events?store_id=${storeId}&webhook_id=${id}&limit=1`)));
    const faults = dead > 0 ? [`${dead} events were not delivered, and are not tried any more`] : [];
    const hashes: string[] = [];
    for (let from = first; from <= last_number; from += longestDigest) {
      const to = Math.min(last_number, from + longestDigest - 1);
      const asked = `store_id=${storeId}&webhook_id=${id}&from=${from}&to=${to}`;
      const { count, hash } = Digest.parse(JSON.parse(await get(`/api/v1/events/digest?${asked}`)));
      if (count !== to - from + 1) faults.push(`${from} to ${to}: ${count} events, and ${to - from + 1} numbers were given`);
      hashes.push(hash);
    }
    const found = `events ${first} to ${last_number}, ${hashes.join(' ')}${waiting > 0 ? `; ${waiting} wait` : ''}`;
    links.push(linkOf({ link, found, faults }, { proved: last_number, more: waiting }));
  }
  return links;
}

function daysOf(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.max(0, (last - first) / 86_400_000 + 1) }, (_, n) =>
    new Date(first + n * 86_400_000).toISOString().slice(0, 10),
  );
}
