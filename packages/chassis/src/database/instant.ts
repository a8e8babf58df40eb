import { type FragmentSqlToken, sql } from 'slonik';

/** A timestamptz as we write times: ISO 8601, UTC, microseconds, `Z`. */
export const instantOf = (value: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${value} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
