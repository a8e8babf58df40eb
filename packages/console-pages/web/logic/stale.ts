import type { Change } from '@corner/console-api';

/** Which changes a query must be read again for. What is absent is not asked for. */
export interface ReadAgainFor {
  /** Beginnings of event types: `order.` is every event of an order. */
  readonly types?: readonly string[];
  /** Ids of the aggregate, customer or store that changed. */
  readonly subjects?: readonly string[];
}

/** Whether a change is one of those. */
export const isStale = ({ types, subjects }: ReadAgainFor, change: Change): boolean =>
  (types === undefined || types.some((type) => change.type.startsWith(type))) &&
  (subjects === undefined || [change.subject, change.customer_id, change.store_id].some((id) => id !== null && subjects.includes(id)));

/** A query, as far as it matters here. */
export interface Followed {
  readonly key: string;
  readonly readAgainFor: ReadAgainFor | undefined;
  /** It is being read at the moment. */
  readonly fetching: boolean;
}

/** Which queries to read again now, and which once more when they have been read. */
export interface Refresh {
  readonly now: readonly string[];
  readonly later: ReadonlySet<string>;
}

/**
 * What to do about changes that came. A query that is being read may have been read before the change, so it is read once more afterwards and
 * not interrupted: under a steady stream of changes it would otherwise never be read to its end.
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
