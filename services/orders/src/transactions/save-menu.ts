import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryMenu } from '@corner/contracts';
import { normaliseCode } from '../rules/promo.ts';
import { raiseMenuVersion, writeMenuItems, writePromos } from '../tables/menus.ts';

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
