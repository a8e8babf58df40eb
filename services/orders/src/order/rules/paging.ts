import { InstantInput, Problem } from '@corner/contracts';

/** The cursor of a list: created_at and id of the last row that the caller has, as they were returned. */
export interface Cursor {
  readonly before?: string | undefined;
  readonly before_id?: string | undefined;
}

/** The rows of a page of ended orders have a (created_at, id) below this one. */
export interface PageBound {
  /** ISO 8601, or 'infinity' for the first page. */
  readonly at: string;
  readonly id: string;
}

/** The rows of a page of live orders have a (time they were due first, id) above this one. */
export interface LiveBound {
  /** A time as Postgres writes it, or '-infinity' for the first page. */
  readonly at: string;
  readonly id: string;
}

/** The least and the greatest UUID: the id of every order is between them. */
const leastId = '00000000-0000-0000-0000-000000000000';
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Throws INVALID_CURSOR for a before_id without before, and for a before that is not a time. */
export function checkCursor({ before, before_id }: Cursor): void {
  if (before === undefined && before_id !== undefined) {
    throw new Problem('INVALID_CURSOR', { message: 'before_id: needs before, the created_at of the same row.' });
  }
  if (before !== undefined && !isInstant(before)) {
    throw new Problem('INVALID_CURSOR', { message: 'before: must be the created_at of a row, as it was returned.' });
  }
}

/**
 * Returns the upper bound of a page of ended orders. Without before_id it includes all rows of its instant, so that none is skipped; a
 * client that pages without it makes no progress once one instant has more rows than a page.
 */
export const pageBound = ({ before, before_id }: Cursor): PageBound => ({ at: before ?? 'infinity', id: before_id ?? greatestId });

/**
 * Returns the lower bound of a page of live orders, from the time that the cursor's row was due first; null when there is no such row.
 * Without before_id it includes the rows of the cursor's instant. Throws INVALID_CURSOR for a cursor whose row is not there.
 */
export function liveBound({ before, before_id }: Cursor, dueAt: string | null): LiveBound {
  if (before === undefined) return { at: '-infinity', id: leastId };
  if (dueAt === null) {
    throw new Problem('INVALID_CURSOR', {
      message: 'before: must be the created_at of an order of the store, and before_id the id of the same.',
    });
  }
  return { at: dueAt, id: before_id ?? leastId };
}

/** Returns whether Postgres accepts the text as a timestamp: it has no year 0, at most six decimals, and no offset of 15 hours or more. */
const isInstant = (text: string) => InstantInput.safeParse(text).success && !/^0000|\.\d{7}|[+-](1[5-9]|2\d):\d\d$/.test(text);
