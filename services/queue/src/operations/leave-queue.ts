import type { Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { isActive } from '../rules/moves.ts';
import { isOwn } from '../rules/ownership.ts';
import { entryNamed } from '../tables/entries.ts';
import { lockQueue } from '../tables/locked-queue.ts';
import { moveEntry } from '../tables/move-entry.ts';

/** Gives a place up. An entry that has ended stays as it ended. */
export const leaveQueue: Operation<typeof contracts.leaveQueue, Context> = async ({ body, caller }, { database, now }) => {
  const found = await entryNamed(database, body.entry_id);
  if (!found || !isOwn(found, caller)) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  const { id, entry_id } = found;
  if (!isActive(found.status)) return { entry_id, status: found.status, noop: true };
  return await database.transaction(async (tx) => {
    const at = now();
    const queue = await lockQueue(tx, found.store_id, at);
    const held = queue?.entries.find((entry) => entry.id === id);
    if (held) return { entry_id, status: (await moveEntry(tx, held, 'leave', at)).status, noop: false };
    const ended = await entryNamed(tx, entry_id);
    return { entry_id, status: ended?.status ?? found.status, noop: true };
  });
};
