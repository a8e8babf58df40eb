import { InstantInput, Problem } from '@corner/contracts';

/** The rows of a page have a (created_at, id) below this one. */
export interface PageBound {
  /** ISO 8601, or 'infinity' for the first page. */
  readonly at: string;
  readonly id: string;
}

/** The greatest UUID: every order has a smaller one. */
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Reads a page's upper bound from the query. Without before_id the bound includes all rows of its instant, so that none is skipped; a
 * client that pages without it makes no progress once one instant has more rows than a page. Throws INVALID_CURSOR.
 */
export function pageBound({
  before,
  before_id,
}: {
  readonly before?: string | undefined;
  readonly before_id?: string | undefined;
}): PageBound {
  if (before === undefined && before_id !== undefined) {
    throw new Problem('INVALID_CURSOR', { message: 'before_id: needs before, the created_at of the same row.' });
  }
  if (before !== undefined && !isInstant(before)) {
    throw new Problem('INVALID_CURSOR', { message: 'before: must be the created_at of a row, as it was returned.' });
  }
  return { at: before ?? 'infinity', id: before_id ?? greatestId };
}

/** Whether Postgres accepts the text as a timestamp: it has no year 0, at most six decimals, and no offset of 15 hours or more. */
const isInstant = (text: string) => InstantInput.safeParse(text).success && !/^0000|\.\d{7}|[+-](1[5-9]|2\d):\d\d$/.test(text);
