import { parseRate } from './amounts.ts';

/** Further columns of a pasted table. Null: none, as for a menu without VAT and an item that is not counted. */
export interface PastedColumns {
  /** In hundredths of a percent. */
  readonly vat_rate_bps?: number | null;
  readonly stock?: number | null;
  readonly prep_minutes?: number;
}

type Column = 'name' | 'price' | 'vat' | 'stock' | 'minutes';

/** The headings by which each column is known, in lower case. */
const headings: Readonly<Record<Column, readonly string[]>> = {
  name: ['name', 'item', 'item name', 'product', 'title'],
  price: ['price', 'amount', 'unit price'],
  vat: ['vat', 'vat rate', 'vat %', 'tax', 'tax rate'],
  stock: ['stock', 'units', 'quantity'],
  minutes: ['minutes', 'prep minutes', 'preparation'],
};

/** The heading of a table: what separates its cells, and which column each is of; null for one that is not known. */
export interface Headings {
  readonly separator: string;
  readonly columns: readonly (Column | null)[];
}

/** Reads a line as the heading of a table; null when it is none. It needs a name and a price. */
export function headingsOf(line: string): Headings | null {
  for (const separator of ['\t', ';', ',']) {
    const columns = cellsOf(line, separator).map(columnOf);
    if (columns.includes('name') && columns.includes('price')) return { separator, columns };
  }
  return null;
}

function columnOf(heading: string): Column | null {
  const low = heading.trim().toLowerCase();
  return (Object.keys(headings) as Column[]).find((column) => headings[column].includes(low)) ?? null;
}

/** Splits a line of CSV into its cells. A cell in double quotes may have the separator in it, and a doubled quote is one. */
export function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] as string;
    if (sign === '"' && quoted && line[at + 1] === '"') cell += line[++at];
    else if (sign === '"' && (quoted || cell.trim() === '')) quoted = !quoted;
    else if (sign === separator && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}

/** Reads a line of a table; a sentence when it is no item. `priceOf` reads a price, and returns a sentence when it is none. */
export function byHeadings(
  { separator, columns }: Headings,
  line: string,
  priceOf: (typed: string) => number | string,
): (PastedColumns & { readonly name: string; readonly price_pence: number }) | string {
  const cells = cellsOf(line, separator);
  const cell = (column: Column): string | undefined => (columns.includes(column) ? (cells[columns.indexOf(column)] ?? '') : undefined);
  if (cells.length > columns.length) return `There are ${cells.length} cells, and the heading has ${columns.length}.`;
  const price_pence = cell('price') ? priceOf(cell('price') ?? '') : 'The price is missing.';
  const [vat, stock, minutes] = [vatOf(cell('vat')), stockOf(cell('stock')), minutesOf(cell('minutes'))];
  const fault = [price_pence, vat, stock, minutes].find((read) => typeof read === 'string');
  if (fault !== undefined) return String(fault);
  return {
    name: cell('name') ?? '',
    price_pence: Number(price_pence),
    ...(vat === undefined ? {} : { vat_rate_bps: vat as number | null }),
    ...(stock === undefined ? {} : { stock: stock as number | null }),
    ...(minutes === undefined ? {} : { prep_minutes: minutes as number }),
  };
}

/** Reads a rate of VAT such as `20 %` or `5.5`, in hundredths of a percent. Empty: none. */
function vatOf(typed: string | undefined): number | null | string | undefined {
  if (typed === undefined) return undefined;
  const text = typed.replace('%', '').trim();
  return text === '' ? null : (parseRate(text) ?? `“${typed}” is not a rate of VAT such as 20.`);
}

function stockOf(typed: string | undefined): number | null | string | undefined {
  if (typed === undefined) return undefined;
  if (typed === '') return null;
  return /^\d{1,9}$/.test(typed) ? Number(typed) : `“${typed}” is not a number of units.`;
}

function minutesOf(typed: string | undefined): number | string | undefined {
  if (typed === undefined || typed === '') return undefined;
  return /^\d{1,3}$/.test(typed) && Number(typed) <= 480 ? Number(typed) : `“${typed}” is not a number of minutes, at most 480.`;
}
