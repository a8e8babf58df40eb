/** An amount in minor units, written in the major one. */
export interface Amount {
  readonly minor: number;
  readonly decimals: number;
}

/** A field of a table: a text, a count, an amount, or nothing. */
export type Field = string | number | Amount | null;

/** A table for a spreadsheet. */
export interface Table {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly rows: readonly (readonly Field[])[];
}

/** Where a formula begins for a spreadsheet: with a sign, of full width too, at the beginning of a text or of what may be read as another cell. */
const formulas = /^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;

/**
 * Returns a table as CSV (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe, since texts come from outside: at the
 * beginning of a text, and within it, since some spreadsheets separate cells by semicolons or tabs.
 */
export const csvOf = (rows: Table['rows']): string => rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');

function fieldOf(field: Field): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  if (typeof field === 'object') return (field.minor / 10 ** field.decimals + 0).toFixed(field.decimals);
  const text = field.replace(formulas, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
