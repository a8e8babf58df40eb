import { plural } from '../../../logic/format.ts';
import type { ItemSwitch, SwitchedItem, SwitchesReply } from '../switch-operations.ts';

export function itemsFor(typed: string, items: readonly SwitchedItem[]): readonly SwitchedItem[] {
  const text = plain(typed);
  return items.filter(({ name }) => plain(name).includes(text));
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Returns null for an item whose mark says it already. `timeOf` writes an instant in the store's zone. */
export function stateText(item: SwitchedItem, timeOf: (instant: string) => string): string | null {
  const { sold_out_switch, sold_out_until, left, available } = item;
  if (!available) return null;
  if (sold_out_switch === 'until_closing') return sold_out_until ? `until ${timeOf(sold_out_until)}` : 'until closing';
  if (sold_out_switch === 'until_changed') return 'until you change it';
  if (left === 0) return 'none left';
  return left === null ? null : `${plural(left, 'unit')} left`;
}

export function undoOf(before: SwitchedItem, { sold_out, left }: ItemSwitch): ItemSwitch {
  return {
    ...(sold_out === undefined ? {} : { sold_out: before.sold_out_switch }),
    ...(left === undefined ? {} : { left: before.left_by_staff ? before.left : null }),
  };
}

export function changeText({ name, sold_out, left }: SwitchedItem): string {
  if (sold_out) return `${name} is sold out.`;
  return left === null ? `${name} is on sale.` : `${name} is on sale, ${plural(left, 'unit')} left.`;
}

/** Returns null for an empty field, undefined for a text that is not a number of units. */
export function parseLeft(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  return /^\d{1,5}$/.test(text) || text === '100000' ? Number(text) : undefined;
}

export function pauseText({ pause, store }: SwitchesReply, timeOf: (instant: string) => string): string {
  if (pause) return `Orders are paused${pause.until ? ` until ${timeOf(pause.until)}` : ''}${pause.by.name ? ` by ${pause.by.name}` : ''}.`;
  if (store.takes_orders === 'now') return 'The store takes orders.';
  if (store.takes_orders === 'scheduled')
    return `${store.reason ?? 'The store takes orders for later only.'} Its hours are in Settings, Hours and closures.`;
  return `${store.reason ?? 'The store takes no orders.'} What decides it is in Settings, Store, in Settings, Hours and closures and in Settings, Payment account.`;
}

export const minutesUntil = (until: string | null, now: number): number | null =>
  until === null ? null : Math.min(240, Math.max(1, Math.ceil((Date.parse(until) - now) / 60_000)));
