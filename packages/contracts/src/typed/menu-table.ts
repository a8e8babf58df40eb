import type { Allergen } from '../vocabulary.ts';
import { cellsOf, type Separator, separators } from './cells.ts';
import { allergensOf, type Cell, categoryOf, descriptionOf } from './menu-facts.ts';
import { parseRate } from './prices.ts';

/** Null for a column without a value, as for a menu without VAT and an item that is not counted. */
export interface PastedColumns {
  /** In hundredths of a percent. */
  readonly vat_rate_bps?: number | null;
  readonly stock?: number | null;
  readonly prep_minutes?: number;
  readonly category?: string | null;
  readonly allergens?: Allergen[];
  readonly description?: string | null;
}

/** A field that is absent was not named in the list. */
export interface PastedItem extends PastedColumns {
  readonly line: number;
  readonly name: string;
  /** Minor units of the store's currency. */
  readonly price_pence: number;
  readonly written: string;
}

/** `certain` is false when the comma may be a decimal sign or separate two cells. */
export interface PartsOfLine extends PastedColumns {
  readonly name: string;
  readonly price: string;
  readonly certain: boolean;
}

export const columnNames = ['name', 'price', 'vat', 'stock', 'minutes', 'category', 'allergens', 'description'] as const;
export type Column = (typeof columnNames)[number];

const headings: Readonly<Record<Column, readonly string[]>> = {
  name: ['name', 'item', 'item name', 'product', 'title'],
  price: ['price', 'amount', 'unit price'],
  vat: ['vat', 'vat rate', 'vat %', 'tax', 'tax rate'],
  stock: ['stock', 'units', 'quantity'],
  minutes: ['minutes', 'prep minutes', 'preparation'],
  category: ['category', 'part', 'section', 'group', 'menu section'],
  allergens: ['allergens', 'allergen', 'allergy', 'contains'],
  description: ['description', 'details', 'about'],
};

/** Its heading is unknown, or is there twice. */
export interface UnknownColumn {
  readonly index: number;
  readonly heading: string;
}

/** `columns` has null for a column that is not read. */
export interface Headings {
  readonly separator: Separator;
  readonly columns: readonly (Column | null)[];
  readonly unknown: readonly UnknownColumn[];
}

/** The heading of a column that is left out on purpose. */
const leftOut = '-';

/** Returns null for a line that is no heading; a heading needs a name and a price. */
export function headingsOf(line: string): Headings | null {
  for (const separator of separators) {
    const cells = cellsOf(line, separator);
    if (typeof cells === 'string') continue;
    const columns = cells.map(columnOf).map((column, index, all) => (all.indexOf(column) === index ? column : null));
    if (!columns.includes('name') || !columns.includes('price')) continue;
    const unknown = cells.flatMap((heading, index) =>
      columns[index] === null && heading !== '' && heading !== leftOut ? [{ index, heading }] : [],
    );
    return { separator, columns, unknown };
  }
  return null;
}

export function withColumnNamed(line: string, index: number, name: Column | null): string {
  const { separator = ',' } = headingsOf(line) ?? {};
  const cells = cellsOf(line, separator);
  if (typeof cells === 'string') return line;
  const named = cells.map((cell, at) => (at === index ? (name ?? leftOut) : cell));
  return named.map((cell) => (/["\t;,]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator);
}

function columnOf(heading: string): Column | null {
  const low = heading.normalize('NFKC').trim().toLowerCase();
  return (Object.keys(headings) as Column[]).find((column) => headings[column].includes(low)) ?? null;
}

export function byHeadings({ separator, columns }: Omit<Headings, 'unknown'>, line: string): PartsOfLine | string {
  const cells = cellsOf(line, separator);
  if (typeof cells === 'string') return cells === 'open' ? 'A quotation mark is not closed.' : 'Text follows a cell in quotation marks.';
  const cell = (column: Column): string | undefined => (columns.includes(column) ? (cells[columns.indexOf(column)] ?? '') : undefined);
  if (cells.length > columns.length) return `There are ${cells.length} cells, and the heading has ${columns.length}.`;
  const [name, price] = [cell('name') ?? '', cell('price') ?? ''];
  if (price === '') return 'The price is missing.';
  const [vat, stock, minutes] = [vatOf(cell('vat')), stockOf(cell('stock')), minutesOf(cell('minutes'))];
  const facts = factsOf(cell);
  const fault = [vat, stock, minutes, facts].find((read) => typeof read === 'string');
  if (fault !== undefined) return String(fault);
  const follows = columns.indexOf('price') === columns.indexOf('name') + 1 && columns.indexOf('price') === cells.length - 1;
  return {
    name,
    price,
    certain: separator !== ',' || !follows || !mayBeDecimal(line),
    ...(vat === undefined ? {} : { vat_rate_bps: vat as number | null }),
    ...(stock === undefined ? {} : { stock: stock as number | null }),
    ...(minutes === undefined ? {} : { prep_minutes: minutes as number }),
    ...(facts as Facts),
  };
}

type Facts = Pick<PastedColumns, 'category' | 'allergens' | 'description'>;

function factsOf(cell: (column: Column) => string | undefined): Facts | string {
  const readers: Readonly<Record<keyof Facts, (typed: string) => Cell<unknown>>> = {
    category: categoryOf,
    allergens: allergensOf,
    description: descriptionOf,
  };
  const facts: Record<string, unknown> = {};
  for (const [column, read] of Object.entries(readers) as [keyof Facts, (typed: string) => Cell<unknown>][]) {
    const typed = cell(column);
    if (typed === undefined) continue;
    const result = read(typed);
    if ('fault' in result) return result.fault;
    if (result.value !== undefined) facts[column] = result.value;
  }
  return facts;
}

/** `Tea 2,20` may be Tea at 2.20, or “Tea 2” at 20. */
export const mayBeDecimal = (line: string): boolean => /[^\S\t]\D?\d{1,3},\d{1,3}\D{0,3}$/u.test(line.trim());

/** Reads `20 %` or `5.5` as hundredths of a percent; null for an empty cell, a sentence for a fault. */
function vatOf(typed: string | undefined): number | null | string | undefined {
  if (typed === undefined) return undefined;
  const text = typed.normalize('NFKC').replace('%', '').trim();
  return text === '' ? null : (parseRate(text) ?? `“${typed}” is not a rate of VAT such as 20.`);
}

function stockOf(typed: string | undefined): number | null | string | undefined {
  if (typed === undefined) return undefined;
  if (typed === '') return null;
  const text = typed.normalize('NFKC');
  return /^\d{1,9}$/.test(text) ? Number(text) : `“${typed}” is not a number of units.`;
}

function minutesOf(typed: string | undefined): number | string | undefined {
  if (typed === undefined || typed === '') return undefined;
  const text = typed.normalize('NFKC');
  return /^\d{1,3}$/.test(text) && Number(text) <= 480 ? Number(text) : `“${typed}” is not a number of minutes, at most 480.`;
}
