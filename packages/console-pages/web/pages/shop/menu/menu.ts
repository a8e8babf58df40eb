import { plural } from '../../../logic/format.ts';
import type { ItemSwitch, SwitchedItem, SwitchesReply } from '../switch-operations.ts';

/** Returns the items whose names have the text. Signs and case do not matter. */
export function itemsFor(typed: string, items: readonly SwitchedItem[]): readonly SwitchedItem[] {
  const text = plain(typed);
  return items.filter(({ name }) => plain(name).includes(text));
}

/** A text without case, accents and signs, as a person types it in a hurry. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Says until when an item is sold out, or how many are left; null for one of which its mark says all. `timeOf` writes an instant as the store reads it. */
export function stateText(item: SwitchedItem, timeOf: (instant: string) => string): string | null {
  const { sold_out_switch, sold_out_until, left, available } = item;
  if (!available) return null;
  if (sold_out_switch === 'until_closing') return sold_out_until ? `until ${timeOf(sold_out_until)}` : 'until closing';
  if (sold_out_switch === 'until_changed') return 'until you change it';
  if (left === 0) return 'none left';
  return left === null ? null : `${plural(left, 'unit')} left`;
}

/** Returns what takes a change of an item back: the values that the changed fields had before. */
export function undoOf(before: SwitchedItem, { sold_out, left }: ItemSwitch): ItemSwitch {
  return {
    ...(sold_out === undefined ? {} : { sold_out: before.sold_out_switch }),
    ...(left === undefined ? {} : { left: before.left_by_staff ? before.left : null }),
  };
}

/** Says what a change has done. */
export function changeText({ name, sold_out, left }: SwitchedItem): string {
  if (sold_out) return `${name} is sold out.`;
  return left === null ? `${name} is on sale.` : `${name} is on sale, ${plural(left, 'unit')} left.`;
}

/** Units that a person typed: null for an empty field, undefined for what is no number of units. */
export function parseLeft(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  return /^\d{1,5}$/.test(text) || text === '100000' ? Number(text) : undefined;
}

/** Says which orders the store takes now. */
export function pauseText({ pause, store }: SwitchesReply, timeOf: (instant: string) => string): string {
  if (pause) return `Orders are paused${pause.until ? ` until ${timeOf(pause.until)}` : ''}${pause.by.name ? ` by ${pause.by.name}` : ''}.`;
  if (store.takes_orders === 'now') return 'The store takes orders.';
  if (store.takes_orders === 'scheduled')
    return `${store.reason ?? 'The store takes orders for later only.'} Its hours are in Settings, Hours and closures.`;
  return `${store.reason ?? 'The store takes no orders.'} What decides it is in Settings, Store, in Settings, Hours and closures and in Settings, Payment account.`;
}

/** Minutes of a pause from now until an instant, at least one; null for a pause that does not end by itself. */
export const minutesUntil = (until: string | null, now: number): number | null =>
  until === null ? null : Math.min(240, Math.max(1, Math.ceil((Date.parse(until) - now) / 60_000)));
