import { measure, on } from '@corner/chassis';
import { directoryCustomer, directoryMenu, directorySlots, directoryStore } from '@corner/contracts';
import type { Context } from '../context.ts';
import { writeContact, writeStore } from './tables/projections.ts';
import { saveMenu, saveSlots } from './transactions.ts';

/** Counts and logs entries of a snapshot that were left out: another store has their id, so the producer must use a different one. */
function sayLeftOut({ log }: Context, list: 'promos' | 'slots', storeId: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  measure('corner.directory.left_out', ids.length, { 'corner.list': list });
  log.error(
    { store_id: storeId, list, ids: ids.slice(0, 10), left_out: ids.length },
    'entries of a snapshot are left out: another store has their ids',
  );
}

export const projectStore = on(directoryStore, ({ data }, tx) => writeStore(tx, data));

/** Stock that orders have taken stays taken. */
export const projectMenu = on(directoryMenu, async ({ data }, tx, context: Context) => {
  sayLeftOut(context, 'promos', data.store_id, await saveMenu(tx, data));
});

export const projectSlots = on(directorySlots, async ({ data }, tx, context: Context) => {
  sayLeftOut(context, 'slots', data.store_id, await saveSlots(tx, data));
});

/** Stores the customer's name and language, and whether push or email reaches them; nothing else is stored. */
export const projectContact = on(directoryCustomer, ({ data }, tx) => writeContact(tx, data));
