import { InstantInput, Problem } from '@corner/contracts';

export interface Cursor {
  readonly before?: string | undefined;
  readonly before_id?: string | undefined;
}

/** A page of ended orders has rows with a (created_at, id) below this. `at` is ISO 8601, or 'infinity' for the first page. */
export interface PageBound {
  readonly at: string;
  readonly id: string;
}

/**
 * A page of live orders has rows with a (first due time, id) above this. `at` is a time as Postgres writes it, or '-infinity' for the
 * first page.
 */
export interface LiveBound {
  readonly at: string;
  readonly id: string;
}

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
 * Returns the lower bound of a page of live orders, from the first due time of the cursor's row; null when there is no such row. Without
 * before_id it includes the rows of the cursor's instant. Throws INVALID_CURSOR for a cursor whose row does not exist.
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
