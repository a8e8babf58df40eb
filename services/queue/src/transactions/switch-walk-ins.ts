import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem } from '@corner/contracts';
import { endOfDay } from '@corner/contracts/opening-hours';
import type { WalkIns } from '../rules/walk-ins.ts';
import { saveWalkInSwitch } from '../tables/log.ts';
import { lockQueue, readQueue } from './lock-queue.ts';

/**
 * Switches a store's walk-ins and returns whether they can join now; a repeat changes nothing. Throws STORE_NOT_FOUND, and
 * WALK_INS_NOT_ACCEPTED when the store's settings take none.
 */
export async function switchWalkIns(tx: Transaction, { storeId, open, until, by }: SwitchRequest): Promise<WalkIns> {
  const queue = await lockQueue(tx, storeId);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  if (open && queue.walkIns.reason === 'store')
    throw new Problem('WALK_INS_NOT_ACCEPTED', { message: 'The settings of the store take no walk-ins; change them in the directory.' });
  const end = open || until === null ? null : until === 'closing' ? endOfDay(queue.hours, queue.timeZone, tx.now.getTime()) : until;
  const isSet = open ? queue.switchedOff === null : queue.switchedOff !== null && queue.switchedOff.until === end;
  if (isSet) return queue.walkIns;
  await saveWalkInSwitch(tx, storeId, { open, until: end === null ? null : new Date(end), by, at: tx.now });
  return (await readQueue(tx, storeId, tx.now))?.walkIns ?? queue.walkIns;
}

interface SwitchRequest {
  readonly storeId: string;
  readonly open: boolean;
  /** Epoch milliseconds; null for a switch that lasts until the next one. */
  readonly until: number | 'closing' | null;
  readonly by: ChangedBy;
}
