export interface Amount {
  readonly minor: number;
  readonly decimals: number;
}

export type Field = string | number | Amount | null;

export interface Table {
  readonly name: string;
  readonly rows: readonly (readonly Field[])[];
}

/**
 * Where a spreadsheet sees a formula: a sign, of full width too, at the beginning of a text or of a part that may be read as another cell.
 */
const formulas = /^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;

/**
 * Returns a table as CSV (RFC 4180). A text that a spreadsheet would read as a formula gets an apostrophe, since texts come from outside:
 * at its beginning, and within it, since some spreadsheets separate cells by semicolons or tabs.
 */
export const csvOf = (rows: Table['rows']): string => rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');

function fieldOf(field: Field): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  if (typeof field === 'object') return (field.minor / 10 ** field.decimals + 0).toFixed(field.decimals);
  const text = field.replace(formulas, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
