import { publish, type Transaction } from '@corner/chassis';
import {
  type ChangedBy,
  type DataOf,
  type directoryMenu,
  type directorySlots,
  normaliseTyped,
  Problem,
  storeSwitched,
} from '@corner/contracts';
import { menuRows } from './rules/menu-rows.ts';
import { type Pace, usualCapacity } from './rules/slots.ts';
import { type ItemChange, isMarkedSoldOut, switchItem, unitsLeft } from './rules/switches.ts';
import { isPausedByStaff } from './rules/taking-orders.ts';
import { lockPaceQuarter, savePaceQuarter } from './tables/pace.ts';
import {
  lockListedSlots,
  lockMenuItems,
  raiseMenuVersion,
  raiseSlotListVersion,
  writeMenuItems,
  writePromos,
  writeSlots,
} from './tables/projections.ts';
import {
  findHours,
  lockSwitchedItem,
  lockSwitchedStore,
  type SwitchedItem,
  type SwitchedStore,
  saveItemSwitches,
  savePause,
} from './tables/switches.ts';

/**
 * Stores a menu's snapshot with its promo codes, unless it is stored or older. Returns the ids of codes left out because another store has
 * them.
 */
export async function saveMenu(tx: Transaction, menu: DataOf<typeof directoryMenu>): Promise<readonly string[]> {
  if (!(await raiseMenuVersion(tx, menu))) return [];
  await lockMenuItems(tx, menu.store_id);
  await writeMenuItems(tx, menu, menuRows(menu.items));
  return await writePromos(
    tx,
    menu.store_id,
    menu.promos.map((promo) => ({ ...promo, code: normaliseTyped(promo.code) })),
  );
}

/**
 * Stores the snapshot of a store's slots, unless it is stored or older. Returns the ids of slots left out because another store has them.
 */
export async function saveSlots(tx: Transaction, list: DataOf<typeof directorySlots>): Promise<readonly string[]> {
  if (!(await raiseSlotListVersion(tx, list))) return [];
  // In order of id, like placing an order, so the two cannot deadlock.
  await lockListedSlots(tx, list);
  return await writeSlots(tx, list);
}

/**
 * Changes the switches of an item and returns it. A repeat changes nothing. Throws MENU_ITEM_NOT_FOUND. The item is locked as an order
 * locks it to take stock; an order that took none of it detects the change by the store's switch count.
 */
export async function switchMenuItem(tx: Transaction, { storeId, itemId, change, by }: ItemSwitchRequest): Promise<SwitchedItem> {
  const hours = await findHours(tx, storeId);
  const item = hours && (await lockSwitchedItem(tx, storeId, itemId));
  if (!item) throw new Problem('MENU_ITEM_NOT_FOUND');
  const { item: next, kinds } = switchItem(item, change, hours, tx.now);
  if (kinds.length === 0) return item;
  const switched = await saveItemSwitches(tx, { storeId, by, at: tx.now }, { ...item, ...next }, kinds);
  const off = isMarkedSoldOut(switched, tx.now);
  const until = off ? switched.sold_out_until : null;
  const state = { menu_item_id: itemId, off, until, left: unitsLeft(switched) };
  await publishSwitched(tx, storeId, switched.switches, { ...state, by });
  return switched;
}

export interface ItemSwitchRequest {
  readonly storeId: string;
  readonly itemId: string;
  readonly change: ItemChange;
  readonly by: ChangedBy;
}

/**
 * Pauses a store, or ends its pause by staff, and returns it. Without `minutes` the pause lasts until staff end it. A repeat changes
 * nothing. Throws STORE_NOT_FOUND.
 */
export async function pauseStore(tx: Transaction, { storeId, paused, minutes, by }: PauseRequest): Promise<SwitchedStore> {
  const store = await lockSwitchedStore(tx, storeId);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const until = paused && minutes !== null ? new Date(tx.now.getTime() + minutes * 60_000).toISOString() : null;
  const isPaused = isPausedByStaff(store, tx.now);
  if (isPaused === paused && (!paused || (until === null && store.staff_pause_until === null))) return store;
  const switched = await savePause(tx, { storeId, by, at: tx.now }, { paused, until });
  await publishSwitched(tx, storeId, switched.switches, {
    menu_item_id: null,
    off: paused,
    until: switched.staff_pause_until,
    left: null,
    by,
  });
  return switched;
}

export interface PauseRequest {
  readonly storeId: string;
  readonly paused: boolean;
  readonly minutes: number | null;
  readonly by: ChangedBy;
}

export interface PaceRequest {
  readonly storeId: string;
  readonly pace: Pace;
  readonly startsAt: Date;
  /** Null for the pace of the store. */
  readonly capacity: number | null;
  readonly by: ChangedBy;
}

/** Sets what the kitchen makes in a quarter of an hour, and returns it. A repeat changes nothing. */
export async function setPace(tx: Transaction, { storeId, pace, startsAt, capacity, by }: PaceRequest) {
  const found = await lockPaceQuarter(tx, storeId, startsAt);
  const next = { startsAt, capacity: capacity ?? usualCapacity(pace), isByStaff: capacity !== null };
  if ((found?.by_staff ?? false) === next.isByStaff && (!next.isByStaff || found?.capacity === capacity))
    return found ?? { starts_at: startsAt.toISOString(), taken: 0, capacity: next.capacity, by_staff: false };
  return await savePaceQuarter(tx, { storeId, by, at: tx.now }, next);
}

type SwitchedState = Pick<DataOf<typeof storeSwitched>, 'menu_item_id' | 'off' | 'until' | 'left'> & { readonly by: ChangedBy };

const publishSwitched = (tx: Transaction, storeId: string, sequence: number, { by, ...state }: SwitchedState): Promise<void> =>
  publish(tx, storeSwitched, {
    aggregateId: storeId,
    sequence,
    storeId,
    data: { store_id: storeId, ...state, by_id: by.id, at: tx.now.toISOString() },
  });
