import { type FragmentSqlToken, sql } from 'slonik';

/** Returns an SQL expression that formats a timestamptz as ISO 8601 in UTC with microseconds: `2026-03-01T08:00:00.000000Z`. */
export const instantOf = (value: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${value} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
