import { plainName } from './menu-entries.ts';
import { type ListedParts, type ReadLine, withCategories } from './menu-line.ts';
import { byHeadings, type Column, headingsOf, type PastedItem, type UnknownColumn, withColumnNamed } from './menu-table.ts';
import { isBlank, withoutInvisible } from './plain.ts';
import { type Notation, notationOf, plainPrice, readPrice } from './prices.ts';
import { secondPriceIn } from './second-price.ts';

export interface PastedFault {
  readonly line: number;
  readonly words: string;
  readonly text: string;
  readonly mayBeHeading: boolean;
}

export interface PastedMenu {
  readonly items: readonly PastedItem[];
  readonly faults: readonly PastedFault[];
  /** Columns that are not read unless they are named; {@link namingColumn} names them or leaves them out. */
  readonly unknown: readonly UnknownColumn[];
  /** Sentences on how prices and headings were read; null when prices are written as Corner writes them, and there are no headings. */
  readonly reading: string | null;
}

const mostItems = 500;
const longestName = 120;

/**
 * Reads a pasted menu: a line for each item, `Flat white 3.20`, or a table with a heading, `name,price,vat,category,allergens`, separated
 * by tabs, semicolons or commas. The notation of prices is found from the whole list. Empty lines count in line numbers only. A heading
 * without a price is the category of the items below it. A line that is no item, or is ambiguous, is a fault; the others are read all the
 * same.
 */
export function parsePastedMenu(text: string, currency: string): PastedMenu {
  const lines = linesOf(text).flatMap((each, index) => (isBlank(each) ? [] : [{ line: index + 1, text: each.trim() }]));
  const table = headingsOf(lines[0]?.text ?? '');
  const parts = table
    ? lines.slice(1).map(({ line, text: each }): ReadLine => ({ line, words: each, read: byHeadings(table, each) }))
    : withCategories(lines);
  const commas = parts.some((each) => typeof each.read === 'object' && each.read.byComma);
  const notation = notationOf(
    parts.flatMap(({ read: each }) => (typeof each === 'object' && isReadable(each, commas) ? [each.price] : [])),
    currency,
  );
  const items: PastedItem[] = [];
  const faults: PastedFault[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, words, read: each, mayBeHeading = false } of parts) {
    const item = typeof each === 'string' ? each : itemOf(each, { currency, notation, commas });
    const fault = typeof item === 'string' ? item : faultOf(item.name, lineOf);
    if (fault !== null) faults.push({ line, words: beginningOf(words), text: fault, mayBeHeading });
    if (fault !== null || typeof item === 'string') continue;
    items.push({ line, ...item });
    lineOf.set(plainName(item.name), line);
  }
  const headings = table ? [] : headingsIn(items);
  return {
    items,
    faults,
    unknown: table?.unknown ?? [],
    reading: [readingOf(items, currency), ...headings].filter(Boolean).join(' ') || null,
  };
}

function headingsIn(items: readonly PastedItem[]): string[] {
  const names = [...new Set(items.flatMap(({ category }) => category ?? []))];
  if (names.length === 0) return [];
  return [
    `${names.map((name) => `“${name}”`).join(', ')} ${names.length === 1 ? 'is the part' : 'are the parts'} of the menu that the items below are in.`,
  ];
}

const longestWords = 40;
const beginningOf = (text: string): string => (text.length > longestWords ? `${text.slice(0, longestWords).trimEnd()}…` : text);

const linesOf = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);

export const withoutFaults = (text: string, faults: readonly PastedFault[]): string =>
  linesOf(text)
    .filter((_, index) => !faults.some(({ line }) => line === index + 1))
    .join('\n');

/** Ends each line that may be a heading with a colon, so that it is read as one. */
export const withHeadings = (text: string, faults: readonly PastedFault[]): string =>
  linesOf(text)
    .map((each, index) => (faults.some(({ line, mayBeHeading }) => mayBeHeading && line === index + 1) ? `${each.trimEnd()}:` : each))
    .join('\n');

/** Gives a column of a table a name that is read; null leaves the column out. */
export function namingColumn(text: string, index: number, name: Column | null): string {
  const lines = linesOf(text);
  const first = lines.findIndex((each) => !isBlank(each));
  return lines.map((each, at) => (at === first ? withColumnNamed(each.trim(), index, name) : each)).join('\n');
}

interface HowToRead {
  readonly currency: string;
  readonly notation: Notation;
  readonly commas: boolean;
}

function itemOf(parts: ListedParts, { currency, notation, commas }: HowToRead): Omit<PastedItem, 'line'> | string {
  if (!isReadable(parts, commas)) return inTwoWays;
  const { name, price, lead = '', certain: _, byComma: __, ...rest } = parts;
  const price_pence = readPrice(price, currency, notation);
  if (typeof price_pence === 'string') return price_pence;
  if (secondPriceIn(name + lead, price, currency)) return 'There are two prices. Write a line for each size.';
  return { name: tidyName(name), price_pence, written: price, ...rest };
}

const inTwoWays =
  'It is not certain whether a comma is a decimal sign here or separates two cells. Write the price with a point, or the name in quotation marks.';

/** A comma can be a decimal sign only where no comma separates cells. */
const isReadable = ({ certain, byComma }: ListedParts, commas: boolean): boolean => certain || (byComma !== undefined && !commas);

const tidyName = (name: string): string => withoutInvisible(name).normalize('NFC').replace(/\s+/gu, ' ').trim();

function readingOf(items: readonly PastedItem[], currency: string): string | null {
  const other = items.filter(({ written, price_pence }) => !isPlain(written, price_pence, currency));
  const { decimal, grouping } = notationOf(
    items.map(({ written }) => written),
    currency,
  );
  if (other.length === 0) return null;
  const examples = other.slice(0, 3).map(({ written, price_pence }) => `“${written.trim()}” as ${plainPrice(price_pence, currency)}`);
  const signs = [
    ...[...decimal].map((sign) => `${nameOfSign(sign)} is a decimal sign`),
    ...[...grouping].map((sign) => `${nameOfSign(sign)} groups thousands`),
  ];
  return `Read ${examples.join(', ')}${signs.length > 0 ? `: ${signs.join(', ')}` : ''}.`;
}

export const isPlain = (written: string, minor: number, currency: string): boolean =>
  /^\D{0,3}\d+(\.\d+)?\D{0,3}$/.test(written.trim()) && Number(written.replace(/[^\d.]/g, '')) === Number(plainPrice(minor, currency));

const nameOfSign = (sign: string): string => ({ '.': 'a point', ',': 'a comma', "'": 'an apostrophe' })[sign] ?? 'a space';

/** `lineOf`: the line of each earlier name. */
function faultOf(name: string, lineOf: ReadonlyMap<string, number>): string | null {
  if (isBlank(name)) return 'The name is missing.';
  if (name.length > longestName) return `The name is longer than ${longestName} characters.`;
  const twin = lineOf.get(plainName(name));
  if (twin !== undefined) return `“${name}” is on line ${twin} already.`;
  return lineOf.size >= mostItems ? `A menu has at most ${mostItems} items.` : null;
}
