import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryMenu, directorySlots } from '@corner/contracts';
import { normaliseCode } from './rules/views.ts';
import { raiseMenuVersion, writeMenuItems, writePromos } from './tables/menus.ts';
import { lockAllSlots, raiseSlotListVersion, writeSlots } from './tables/slots.ts';

/** Stores a menu's snapshot with its promo codes, unless the same version or a newer one is stored. What orders have taken stays taken. */
export async function saveMenu(tx: Transaction, menu: DataOf<typeof directoryMenu>): Promise<void> {
  if (!(await raiseMenuVersion(tx, menu))) return;
  await writeMenuItems(tx, menu);
  await writePromos(
    tx,
    menu.store_id,
    menu.promos.map((promo) => ({ ...promo, code: normaliseCode(promo.code) })),
  );
}

/** Stores the snapshot of a store's slots, unless the same version or a newer one is stored. Places already used stay used. */
export async function saveSlots(tx: Transaction, list: DataOf<typeof directorySlots>): Promise<void> {
  if (!(await raiseSlotListVersion(tx, list))) return;
  // In order of id, like placing an order, so the two cannot deadlock.
  await lockAllSlots(tx, list.store_id);
  await writeSlots(tx, list);
}
