import { useCallback, useState } from 'react';
import { type Columns, columns as names } from '../order-columns.ts';

export interface Arrivals {
  readonly known: ReadonlySet<string>;
  readonly fresh: ReadonlySet<string>;
  readonly pages: number;
}

export const noArrivals: Arrivals = { known: new Set(), fresh: new Set(), pages: 0 };

/**
 * An order that appears in the first column is new until it leaves the column or is touched. A further page brings older orders, which are
 * not new.
 */
export function noteOrders(before: Arrivals, columns: Columns, pages: number): Arrivals {
  const added = names.flatMap((name) => columns[name].map(({ id }) => id)).filter((id) => !before.known.has(id));
  const accepted = new Set(columns.accepted.map(({ id }) => id));
  const arrived = pages === before.pages && pages > 0 ? added : [];
  const fresh = new Set([...before.fresh, ...arrived].filter((id) => accepted.has(id)));
  if (added.length === 0 && fresh.size === before.fresh.size && pages === before.pages) return before;
  return { known: new Set([...before.known, ...added]), fresh, pages };
}

export const touchOrder = (before: Arrivals, id: string): Arrivals =>
  before.fresh.has(id) ? { ...before, fresh: new Set([...before.fresh].filter((other) => other !== id)) } : before;

export function useNewOrders(columns: Columns, pages: number) {
  const [arrivals, setArrivals] = useState(noArrivals);
  const noted = noteOrders(arrivals, columns, pages);
  if (noted !== arrivals) setArrivals(noted);
  const touch = useCallback((id: string) => setArrivals((now) => touchOrder(now, id)), []);
  return { fresh: noted.fresh, touch };
}
