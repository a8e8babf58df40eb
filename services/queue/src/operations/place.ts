import { type Caller, type Database, derivedUuid, type Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import { z } from 'zod';
import { type Context, subscriberIn } from '../context.ts';
import { entryView, isOwnEntry, queuePosition } from '../rules/entry-view.ts';
import type { LiveQueue } from '../rules/live-queue.ts';
import { isActive } from '../rules/moves.ts';
import { storeView } from '../rules/store-view.ts';
import { keptQuotes, waitRange } from '../rules/waits.ts';
import { type Entry, findEntry } from '../tables/entries.ts';
import { findJoinedBeforeChain, readChain } from '../tables/log.ts';
import { readKept } from '../tables/waits.ts';
import { joinQueue as joinQueueIn } from '../transactions/join-queue.ts';
import { leaveQueue as leaveQueueIn } from '../transactions/leave-queue.ts';
import { readCurrentEntry, readCurrentQueue } from '../transactions/lock-queue.ts';

/**
 * Adds the caller at the end of a store's queue and quotes the wait. A customer with an active entry gets it back, and one who names an
 * entry made as a guest keeps that. A guest is known by the Idempotency-Key alone: a repeat gets its entry.
 */
export const joinQueue: Operation<typeof contracts.joinQueue, Context> = async (
  { body, caller, idempotencyKey, header },
  { database, newCredential },
) => {
  const customerId = caller.type === 'customer' ? caller.id : null;
  const request = {
    id: customerId === null && idempotencyKey !== undefined ? derivedUuid(`queue.join:${idempotencyKey}`) : null,
    entry_id: newCredential(),
    store_id: body.store_id,
    customer_id: customerId,
    service_id: body.service_id ?? null,
    preferred_unit_id: body.preferred_unit_id ?? null,
    party_size: body.party_size,
    // A customer's name and phone number are kept elsewhere; only a guest's are taken from the request.
    guest_name: customerId === null ? (body.guest_name ?? 'Guest') : null,
    guest_phone: customerId === null ? (body.guest_phone ?? null) : null,
    guestEntryId: body.entry_id ?? null,
    subscriber: subscriberIn(header),
    by: null,
  };
  const { entry, reused, expectedWaitMinutes } = await database.transaction((tx) => joinQueueIn(tx, request));
  return {
    entry_id: entry.entry_id,
    reused,
    expected_wait_min: expectedWaitMinutes,
    wait_range: reused ? null : waitRange(entry.quoted_wait_min, entry.quoted_spread),
    status: entry.status,
  };
};

export const leaveQueue: Operation<typeof contracts.leaveQueue, Context> = async ({ body, caller }, { database }) => {
  const entry = await findEntry(database, body.entry_id);
  if (!entry || !isOwnEntry(entry, caller)) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  if (!isActive(entry.status)) return { entry_id: entry.entry_id, status: entry.status, noop: true };
  const { status, left } = await database.transaction((tx) => leaveQueueIn(tx, entry));
  return { entry_id: entry.entry_id, status, noop: !left };
};

const shownAfterEnd = 24 * 3_600_000;
/** Returned when no store is known; it is the directory's default. */
const defaultHoldMinutes = 5;

/** The entry is null when it is unknown, belongs to someone else or ended a day ago. */
export const queueStatus: Operation<typeof contracts.queueStatus, Context> = async ({ query, caller }, { database, now }) => {
  const { entry, queue } = await findOwnEntry(database, query, { caller, now: now() });
  return {
    entry: entry && entryView(entry, queue),
    called_hold_minutes: queue?.calledHoldMinutes ?? defaultHoldMinutes,
    ...(entry && queue?.chain ? { chain: queue.chain } : {}),
  };
};

const chainPage = 1_000;
const chainHours = 24;

/**
 * Returns the chain of the caller's queue after a number, or of the last day with the row before it: one who joined later has a
 * row. Rows stop at the end that the positions were read with,
 * because someone may have joined since. Only on the first day of a chain may someone wait without a row.
 */
export const readQueueChain: Operation<typeof contracts.readQueueChain, Context> = async ({ query, caller }, { database, now }) => {
  const at = now();
  const { entry, queue } = await findOwnEntry(database, { entry_id: query.entry_id }, { caller, now: at });
  if (!entry || !queue) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  const since = new Date(at.getTime() - chainHours * 3_600_000);
  const storeId = entry.store_id;
  const rows = await readChain(database, { storeId, after: query.after, upTo: queue.chain?.number ?? 0, since, limit: chainPage });
  const lined = queue.entries.filter(({ status }) => status === 'waiting');
  const ids = rows[0]?.number === 1 ? lined.map(({ id }) => id) : [];
  const before = new Set(ids.length > 0 ? await findJoinedBeforeChain(database, { storeId, since, ids }) : []);
  const waiting = lined.map(({ id, joined_at }) => ({
    entry_ref: id,
    place: joined_at,
    ...(before.has(id) ? { before_chain: true } : {}),
  }));
  return { entry_ref: entry.id, queue_position: queuePosition(queue, entry), waiting, rows: [...rows], head: queue.chain };
};

/** The entry is null when it is not the caller's. */
async function findOwnEntry(database: Database, { entry_id, store_id }: StatusQuery, { caller, now }: Asking): Promise<Found> {
  if (entry_id !== undefined) {
    const found = z.guid().safeParse(entry_id).success ? await readCurrentEntry(database, entry_id, now) : null;
    return found && isOwnEntry(found.entry, caller) && !endedLongAgo(found.entry, now) ? found : { entry: null, queue: null };
  }
  if (store_id === undefined || caller.type !== 'customer') return { entry: null, queue: null };
  const queue = await readCurrentQueue(database, store_id, now);
  return { entry: queue?.entries.find(({ customer_id }) => customer_id === caller.id) ?? null, queue };
}

const endedLongAgo = ({ ended_at }: Entry, now: Date): boolean =>
  ended_at !== null && now.getTime() - Date.parse(ended_at) >= shownAfterEnd;

interface StatusQuery {
  readonly entry_id?: string | undefined;
  readonly store_id?: string | undefined;
}

interface Asking {
  readonly caller: Caller;
  readonly now: Date;
}
interface Found {
  readonly entry: Entry | null;
  readonly queue: LiveQueue<Entry> | null;
}

export const readStoreQueue: Operation<typeof contracts.readStoreQueue, Context> = async (
  { params: { store_id }, caller, header },
  { database, now },
) => {
  const at = now();
  const queue = await readCurrentQueue(database, store_id, at, subscriberIn(header));
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const customer_id = caller.type === 'customer' ? caller.id : null;
  const joiner = { customer_id, by_id: null, address_hash: queue.callerHash, guest_phone: null };
  return storeView(store_id, queue, joiner, await readKept(database, store_id, keptQuotes(at, queue.timeZone)));
};
