import { formatMoney, type StorePause, type SwitchedItem, type soldOutSwitches } from '@corner/contracts';
import { endOfDay, type Opening } from '@corner/contracts/opening-hours';
import { atStore, isPausedByStaff, type TakingOrders } from './taking-orders.ts';

/**
 * The switches of an item. A mark as sold out may have expired; `sold_out_until` is ISO 8601, null for one without an end. `stock` counts
 * the units for all orders, including `taken` ones; null when they are not counted.
 */
export interface ItemSwitches {
  readonly sold_out: boolean;
  readonly sold_out_until: string | null;
  readonly stock: number | null;
  readonly taken: number;
}

/** Whether an item is marked as sold out at an instant: a mark may expire. */
export const isMarkedSoldOut = ({ sold_out, sold_out_until }: ItemSwitches, now: Date): boolean =>
  sold_out && (sold_out_until === null || Date.parse(sold_out_until) > now.getTime());

export const unitsLeft = ({ stock, taken }: ItemSwitches): number | null => (stock === null ? null : Math.max(0, stock - taken));

export const isSoldOut = (item: ItemSwitches, now: Date): boolean => isMarkedSoldOut(item, now) || unitsLeft(item) === 0;

/** An item with its current stock, and the directory's stock, kept while staff set what is left. */
export interface SwitchableItem extends ItemSwitches {
  readonly left_by_staff: boolean;
  readonly directory_stock: number | null;
}

/** A change of an item's switches by staff. An absent field changes nothing; with `left` null the directory's stock applies again. */
export interface ItemChange {
  readonly soldOut?: (typeof soldOutSwitches)[number] | undefined;
  readonly left?: number | null | undefined;
}

/** Applies a change to an item, and returns it with the kinds of log entries for it: none when nothing changed. */
export function switchItem(
  item: SwitchableItem,
  { soldOut, left }: ItemChange,
  { hours, time_zone }: { readonly hours: readonly Opening[]; readonly time_zone: string },
  now: Date,
): { readonly item: SwitchableItem; readonly kinds: readonly StoreLogKind[] } {
  const until = soldOut === 'until_closing' ? new Date(endOfDay(hours, time_zone, now.getTime())).toISOString() : null;
  const mark = { sold_out: soldOut !== 'no', sold_out_until: until };
  const isMarked = isMarkedSoldOut(item, now);
  const isMarkSet = soldOut === undefined || (isMarked === mark.sold_out && (!isMarked || sameInstant(item.sold_out_until, until)));
  const isLeftSet = left === undefined || (left === null ? !item.left_by_staff : item.left_by_staff && unitsLeft(item) === left);
  return {
    item: { ...item, ...(isMarkSet ? {} : mark), ...(isLeftSet ? {} : stockOf(item, left)) },
    kinds: [
      ...(isMarkSet ? [] : [mark.sold_out ? ('marked_sold_out' as const) : ('mark_ended' as const)]),
      ...(isLeftSet ? [] : [left === null ? ('left_unset' as const) : ('left_set' as const)]),
    ],
  };
}

const sameInstant = (a: string | null, b: string | null): boolean => (a && Date.parse(a)) === (b && Date.parse(b));

/** Taken units stay in the stock, so that a cancelled order can return its own. */
function stockOf({ stock, taken, left_by_staff, directory_stock }: SwitchableItem, left: number | null) {
  if (left !== null) return { stock: taken + left, left_by_staff: true, directory_stock: left_by_staff ? directory_stock : stock };
  return { stock: directory_stock === null ? null : Math.max(directory_stock, taken), left_by_staff: false, directory_stock: null };
}

type ItemView = (typeof SwitchedItem)['_zod']['input'];
type ViewedItem = SwitchableItem & Changed & Pick<ItemView, 'kind' | 'of' | 'name' | 'price_pence' | 'available'> & { readonly id: string };

interface Changed {
  readonly switched_by_id: string | null;
  readonly switched_by_name: string | null;
  readonly switched_at: string | null;
}

export function switchedItemView(item: ViewedItem, now: Date): ItemView {
  const isMarked = isMarkedSoldOut(item, now);
  const until = isMarked ? item.sold_out_until : null;
  return {
    menu_item_id: item.id,
    kind: item.kind,
    of: item.of,
    name: item.name,
    price_pence: item.price_pence,
    available: item.available,
    sold_out: isSoldOut(item, now),
    sold_out_switch: !isMarked ? 'no' : until === null ? 'until_changed' : 'until_closing',
    sold_out_until: until,
    left: unitsLeft(item),
    left_by_staff: item.left_by_staff,
    by: item.switched_by_id === null ? null : { id: item.switched_by_id, name: item.switched_by_name },
    at: item.switched_at,
  };
}

export interface StaffPause extends Pick<TakingOrders, 'staff_pause' | 'staff_pause_until'> {
  readonly staff_pause_by_id: string | null;
  readonly staff_pause_by_name: string | null;
  readonly staff_pause_at: string | null;
}

export function pauseView(store: StaffPause, now: Date): (typeof StorePause)['_zod']['input'] | null {
  const { staff_pause_until: until, staff_pause_by_id: id, staff_pause_by_name: name, staff_pause_at: at } = store;
  return isPausedByStaff(store, now) && id !== null && at !== null ? { until, by: { id, name }, at } : null;
}

export type StoreLogKind =
  | ('paused' | 'resumed' | 'marked_sold_out' | 'mark_ended' | 'left_set' | 'left_unset')
  | ('pace_set' | 'pace_unset')
  | ('drawer_opened' | 'cash_paid_out' | 'drawer_closed');

/**
 * A row of a store's log. `until` is ISO 8601, null for no end; of a pace, the start of the quarter. `amount_pence` is a drawer's float, pay-out or counted cash, and
 * `difference_pence` the counted less the expected cash; null for a switch.
 */
export interface StoreLogRow {
  readonly kind: StoreLogKind;
  readonly item_name: string | null;
  readonly until: string | null;
  readonly units_left: number | null;
  readonly amount_pence: number | null;
  readonly difference_pence: number | null;
}

export function storeLogTitle(
  row: StoreLogRow,
  { time_zone, currency }: { readonly time_zone: string; readonly currency: string },
): string {
  const { kind, item_name: name, until, units_left: left, amount_pence, difference_pence } = row;
  const end = until === null ? '' : ` until ${atStore(new Date(until), time_zone)}`;
  const money = (pence: number | null) => formatMoney(pence ?? 0, currency, 'en-GB');
  switch (kind) {
    case 'paused':
      return `Orders were paused${end}`;
    case 'resumed':
      return 'The pause of orders was ended';
    case 'marked_sold_out':
      return `${name} was marked as sold out${end}`;
    case 'mark_ended':
      return `${name} is no longer marked as sold out`;
    case 'left_set':
      return `${name}: ${left} left`;
    case 'left_unset':
      return `${name}: what is left follows the stock of the directory again`;
    case 'pace_set':
      return `The kitchen makes ${left} in the quarter of an hour from ${atStore(new Date(until ?? ''), time_zone)}`;
    case 'pace_unset':
      return `The quarter of an hour from ${atStore(new Date(until ?? ''), time_zone)} has the usual pace of the kitchen again`;
    case 'drawer_opened':
      return `The drawer was opened with ${money(amount_pence)}`;
    case 'cash_paid_out':
      return `${money(amount_pence)} was taken out of the drawer`;
    case 'drawer_closed':
      return `The drawer was closed with ${money(amount_pence)}, ${differenceText(difference_pence ?? 0, money)}`;
    default:
      return kind satisfies never;
  }
}

function differenceText(pence: number, money: (pence: number) => string): string {
  if (pence === 0) return 'as expected';
  return `${money(Math.abs(pence))} ${pence < 0 ? 'less' : 'more'} than expected`;
}
