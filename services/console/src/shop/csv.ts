/** A field of a table. */
export type Field = string | number | null;

/**
 * Returns a table as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it, since some of the texts come
 * from outside.
 */
export const csvOf = (rows: readonly (readonly Field[])[]): string => rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');

function fieldOf(field: Field): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  const text = /^[=+\-@\t\r]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
