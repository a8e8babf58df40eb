import type { Change } from '@corner/console-api';

/**
 * An absent field matches every change. `types` are prefixes of event types: `order.` is every event of an order. `subjects` are ids of the
 * changed aggregate, customer or store.
 */
export interface ReadAgainFor {
  readonly types?: readonly string[];
  readonly subjects?: readonly string[];
}

export const isStale = ({ types, subjects }: ReadAgainFor, change: Change): boolean =>
  (types === undefined || types.some((type) => change.type.startsWith(type))) &&
  (subjects === undefined || [change.subject, change.customer_id, change.store_id].some((id) => id !== null && subjects.includes(id)));

export interface Followed {
  readonly key: string;
  readonly readAgainFor: ReadAgainFor | undefined;
  readonly fetching: boolean;
}

export interface Refresh {
  readonly now: readonly string[];
  readonly later: ReadonlySet<string>;
}

/**
 * A query that is being read is read once more afterwards: its read may have begun before the change. It is not cancelled, because under a
 * steady stream of changes it would never finish.
 */
export function refreshFor(changes: readonly Change[], later: ReadonlySet<string>, queries: readonly Followed[]): Refresh {
  const stale = queries.filter(
    ({ key, readAgainFor }) => later.has(key) || (readAgainFor && changes.some((change) => isStale(readAgainFor, change))),
  );
  return {
    now: stale.filter(({ fetching }) => !fetching).map(({ key }) => key),
    later: new Set(stale.filter(({ fetching }) => fetching).map(({ key }) => key)),
  };
}
