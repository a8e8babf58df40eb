import 'temporal-polyfill/global';
import { daysFrom, expandTemplate, overlap, type Times } from '@corner/contracts/expand-template';
import { addDays, minuteOf, wallTimeAt } from '@corner/page-kit/logic/zones';

/**
 * Times are HH:MM in the store's zone; a `to` that is not after `from` is on the next day. `capacity` is the orders of each slot; null for
 * any number.
 */
export interface TemplateRow {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly every_minutes: number;
  readonly capacity: number | null;
}

interface Span {
  readonly starts_at: string;
  readonly ends_at: string;
}

export interface DatedSlot extends Span {
  readonly id: string;
  readonly capacity: number | null;
  readonly open: boolean;
}

export interface PreviewSlot {
  readonly from: number;
  readonly to: number;
  readonly capacity: number | null;
  /** Null when customers can choose it. */
  readonly closed: 'closure' | 'switched off' | null;
  readonly isDated: boolean;
}

export interface PreviewDay {
  readonly date: string;
  readonly slots: readonly PreviewSlot[];
}

interface Preview {
  readonly slots: readonly DatedSlot[];
  readonly template: readonly TemplateRow[];
  readonly closures: readonly Span[];
  readonly zone: string;
  readonly first: string;
  readonly days: number;
}

/**
 * Returns the slots of some days from a date on, as the directory creates them: a dated slot replaces those that it overlaps, and of two
 * weekly ones that overlap the earlier one stays. Slots within a closure are marked as closed. Times are in milliseconds.
 */
export function previewSlots({ slots, template, closures, zone, first, days }: Preview): PreviewDay[] {
  const dates = Array.from({ length: days }, (_, index) => addDays(first, index));
  const dated = slots.map(
    ({ capacity, open, ...span }): PreviewSlot => ({ ...timesOf(span), capacity, closed: open ? null : 'switched off', isDated: true }),
  );
  const shut = closures.map(timesOf);
  const yesterday = Temporal.PlainDate.from(first).subtract({ days: 1 });
  const made = expandTemplate(template.filter(isWhole), daysFrom(yesterday, days + 1, zone), zone)
    .filter((slot) => !dated.some((other) => overlap(slot, other)))
    .map((slot): PreviewSlot => ({ ...slot, closed: shut.some((closure) => overlap(slot, closure)) ? 'closure' : null, isDated: false }));
  const byDate = Map.groupBy(
    [...dated, ...made].toSorted((a, b) => a.from - b.from),
    ({ from }) => wallTimeAt(from, zone).date,
  );
  return dates.map((date) => ({ date, slots: byDate.get(date) ?? [] }));
}

const timesOf = ({ starts_at, ends_at }: Span): Times => ({ from: Date.parse(starts_at), to: Date.parse(ends_at) });
const isWhole = ({ from, to, every_minutes }: TemplateRow): boolean => every_minutes >= 5 && !Number.isNaN(minuteOf(from) + minuteOf(to));

export function weekOf(rows: readonly TemplateRow[]): { readonly slots: number; readonly orders: number | null } {
  const each = rows.map((row) => {
    const length = minuteOf(row.to) - minuteOf(row.from) + (row.to > row.from ? 0 : 1_440);
    const slots = row.days.length * Math.floor(length / row.every_minutes || 0);
    return { slots, orders: row.capacity === null ? null : slots * row.capacity };
  });
  return {
    slots: each.reduce((sum, { slots }) => sum + slots, 0),
    orders: each.some(({ orders }) => orders === null) ? null : each.reduce((sum, { orders }) => sum + (orders ?? 0), 0),
  };
}
