import { Problem } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';

/**
 * A page of a store's log, newest first. `day` is in the store's time zone, `2026-05-01`; null for every day. `before` is the id of the
 * last row of the page before; null for the first page.
 */
export interface LogQuery {
  readonly storeId: string;
  readonly day: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Returns the condition that the log in `table` of the store `s` has the row `before`. True for the first page. */
export const cursorKnownSql = (table: string, { before }: LogQuery): FragmentSqlToken => sql.fragment`
  ${before}::bigint is null or exists (select from ${sql.identifier([table])} c where c.id = ${before}::bigint and c.store_id = s.id)`;

/** Returns the clauses that select a page, as `l`, from the log in `table` of the store `s`. */
export const logPageSql = (
  table: string,
  { day, before, limit }: LogQuery,
  timeZone: FragmentSqlToken = sql.fragment`s.time_zone`,
): FragmentSqlToken => sql.fragment`
  where l.store_id = s.id
    and l.at >= coalesce(${day}::date::timestamp at time zone ${timeZone}, '-infinity')
    and l.at < coalesce((${day}::date + 1)::timestamp at time zone ${timeZone}, 'infinity')
    and (l.at, l.id) < (
      coalesce((select c.at from ${sql.identifier([table])} c where c.id = ${before}::bigint and c.store_id = s.id), 'infinity'),
      coalesce(${before}::bigint, 9223372036854775807))
  order by l.at desc, l.id desc
  limit ${limit}`;

/** Throws STORE_NOT_FOUND for null, the result for an unknown store, and INVALID_CURSOR. */
export function foundLogPage<Page extends { readonly cursor_known: boolean }>(page: Page | null): Page {
  if (!page) throw new Problem('STORE_NOT_FOUND');
  if (!page.cursor_known) throw new Problem('INVALID_CURSOR', { message: 'The store’s log has no row with the id in before.' });
  return page;
}
