import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

/**
 * Returns the column list of a row schema, for `select` and `returning`, in the schema's order. For fewer columns, pass `OrderRow.pick({ …
 * })`. `overrides` are columns read through an expression. Throws a RangeError for a schema without keys.
 */
export function columns<Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>, options: ColumnsOptions<Shape> = {}): FragmentSqlToken {
  const keys = Object.keys(row.shape);
  if (keys.length === 0) throw new RangeError('a column list needs a schema with at least one key');
  return sql.fragment`${sql.join(
    keys.map((key) => columnOf(key, options.alias, options.overrides?.[key as keyof Shape])),
    sql.fragment`, `,
  )}`;
}

function columnOf(key: string, alias: string | undefined, override: ColumnOverride | undefined): FragmentSqlToken {
  const column = sql.fragment`${sql.identifier(alias === undefined ? [key] : [alias, key])}`;
  if (override === undefined) return column;
  const expression = typeof override === 'function' ? override(column) : override;
  return sql.fragment`${expression} as ${sql.identifier([key])}`;
}

export interface ColumnsOptions<Shape extends z.ZodRawShape> {
  readonly alias?: string;
  readonly overrides?: { readonly [Key in keyof Shape]?: ColumnOverride };
}

export type ColumnOverride = FragmentSqlToken | ((column: FragmentSqlToken) => FragmentSqlToken);

/** Returns an SQL expression that formats a timestamptz as ISO 8601 in UTC with microseconds: `2026-03-01T08:00:00.000000Z`. */
export const instantOf = (value: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${value} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** For a statement that returns no rows. Shared, because zod takes longer to make a schema than to parse a row. */
export const NoColumns = z.object({});
