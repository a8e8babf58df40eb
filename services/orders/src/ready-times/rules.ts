/** Days of orders that are learned from and compared, today at the store included. */
export const learnedDays = 28;

const fewestOrders = 20;
/** Orders from which an item, an hour or a load has a figure of its own. */
const fewestOfGroup = 5;
/** Orders ahead that count as one step of load, and from which any more count the same. */
const ordersPerLoad = 3;
const mostAhead = 30;

/**
 * How long a store takes from payment to ready, in minutes: the median of each item and of any order, what an hour of the day and a load
 * add to it, and the tenth and ninetieth percentile of how much later than that orders were ready. `usual` has both percentiles of the
 * minutes themselves. Items, hours and loads with too few orders are left out.
 */
export interface ReadyTimes {
  readonly any: number;
  readonly items: Minutes;
  readonly hours: Minutes;
  readonly loads: Minutes;
  readonly late: readonly [number, number];
  readonly usual: readonly [number, number];
}

type Minutes = Readonly<Record<string, number>>;

export interface KnownOrder {
  readonly items: readonly string[];
  /** Of its payment, at the store. */
  readonly hour: number;
  /** Paid orders that were not ready then; null when that was not kept. */
  readonly ahead: number | null;
  /** From payment to ready, rounded up. */
  readonly minutes: number;
}

/** Returns what a store's orders teach; null with fewer than twenty. */
export function learnFrom(orders: readonly KnownOrder[]): ReadyTimes | null {
  if (orders.length < fewestOrders) return null;
  const any = percentile(
    orders.map(({ minutes }) => minutes),
    0.5,
  );
  const items = medians(orders.flatMap((order) => order.items.map((item) => [item, order.minutes] as const)));
  const rest = orders.map((order) => ({ ...order, minutes: order.minutes - slowest({ any, items }, order.items) }));
  const hours = medians(rest.map(({ hour, minutes }) => [String(hour), minutes]));
  const byLoad = rest.flatMap(({ hour, ahead, minutes }) =>
    ahead === null ? [] : [[loadOf(ahead), minutes - (hours[hour] ?? 0)] as const],
  );
  const times = { any, items, hours, loads: medians(byLoad) };
  const late = orders.map((order) => order.minutes - (minutesByAhead(times, order)[Math.min(order.ahead ?? 0, mostAhead)] ?? 0));
  return { ...times, late: spreadOf(late), usual: spreadOf(orders.map(({ minutes }) => minutes)) };
}

/**
 * Returns the minutes until an order is ready, by how many orders are ahead: the last are those of any more. An unknown load is as the one
 * below.
 */
export function minutesByAhead(
  times: Pick<ReadyTimes, 'any' | 'items' | 'hours' | 'loads'>,
  { items, hour }: Pick<KnownOrder, 'items' | 'hour'>,
): readonly number[] {
  const minutes = slowest(times, items) + (times.hours[hour] ?? 0);
  let added = 0;
  return Array.from({ length: mostAhead + 1 }, (_, ahead) => {
    added = times.loads[loadOf(ahead)] ?? added;
    return Math.max(0, minutes + added);
  });
}

const slowest = ({ any, items }: Pick<ReadyTimes, 'any' | 'items'>, ids: readonly string[]): number =>
  Math.max(...(ids.length === 0 ? [any] : ids.map((id) => items[id] ?? any)));

const loadOf = (ahead: number): string => String(Math.floor(Math.min(ahead, mostAhead) / ordersPerLoad));

function medians(pairs: readonly (readonly [string, number])[]): Minutes {
  const groups = [...Map.groupBy(pairs, ([name]) => name)].filter(([, group]) => group.length >= fewestOfGroup);
  const medianOf = (group: typeof pairs) =>
    percentile(
      group.map(([, minutes]) => minutes),
      0.5,
    );
  return Object.fromEntries(groups.map(([name, group]) => [name, medianOf(group)]));
}

const spreadOf = (values: readonly number[]): [number, number] => [percentile(values, 0.1), percentile(values, 0.9)];

/** Returns the least value that this share of all does not exceed, as percentile_disc does. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Returns the hour of the day at a store, from 0. */
export const hourAt = (at: Date, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).hour;

/** Returns the public figures of a store: the minutes between which eight of ten orders were ready, and the share of kept quotes. */
export function readyTimesView({ learned, quotes, kept }: StoreReadyTimes) {
  if (!learned) return null;
  const [from_min, to_min] = learned.usual;
  return { from_min, to_min, quotes, kept_percent: quotes < fewestOrders ? null : Math.round((100 * kept) / quotes) };
}

export interface StoreReadyTimes {
  readonly learned: ReadyTimes | null;
  readonly quotes: number;
  readonly kept: number;
}
