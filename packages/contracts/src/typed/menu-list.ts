import { currencies } from '../currencies.ts';
import { cellsOf } from './cells.ts';
import { byHeadings, headingsOf, mayBeDecimal, type PartsOfLine, type PastedColumns } from './menu-table.ts';
import { isBlank, withoutInvisible, withPlainDigits } from './plain.ts';
import { type Notation, notationOf, plainPrice, readPrice } from './prices.ts';
import { secondPriceIn } from './second-price.ts';

/** An item of a menu that a person pasted. A field that is absent was not named. */
export interface PastedItem extends PastedColumns {
  readonly line: number;
  readonly name: string;
  /** Minor units of the store's currency. */
  readonly price_pence: number;
  /** The price as it was written. */
  readonly written: string;
}

/** Why a line is no item, as a sentence. */
export interface PastedFault {
  readonly line: number;
  readonly text: string;
}

export interface PastedMenu {
  readonly items: readonly PastedItem[];
  readonly faults: readonly PastedFault[];
  /** How the prices were read, as a sentence; null when they are written as Corner writes them. */
  readonly reading: string | null;
}

const mostItems = 500;
const longestName = 120;

/**
 * Reads a menu that a person pasted: a line for each item, `Flat white 3.20`, or a table with a heading, `name,price,vat,stock,minutes`, separated
 * by tabs, semicolons or commas. How prices are written is found in the whole list. Empty lines count, and are nothing. A line that is no item,
 * or of which it is not certain what it means, is a fault; the others are read all the same.
 */
export function parsePastedMenu(text: string, currency: string): PastedMenu {
  const lines = linesOf(text).flatMap((each, index) => (isBlank(each) ? [] : [{ line: index + 1, text: each.trim() }]));
  const table = headingsOf(lines[0]?.text ?? '');
  const read = (each: string): ListedParts | string => (table ? byHeadings(table, each) : partsOf(each));
  const parts = (table ? lines.slice(1) : lines).map(({ line, text: each }) => ({ line, read: read(each) }));
  const commas = parts.some((each) => typeof each.read === 'object' && each.read.byComma);
  const notation = notationOf(
    parts.flatMap(({ read: each }) => (typeof each === 'object' && isReadable(each, commas) ? [each.price] : [])),
    currency,
  );
  const items: PastedItem[] = [];
  const faults: PastedFault[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, read: each } of parts) {
    const item = typeof each === 'string' ? each : itemOf(each, { currency, notation, commas });
    const fault = typeof item === 'string' ? item : faultOf(item.name, lineOf);
    if (fault !== null) faults.push({ line, text: fault });
    if (fault !== null || typeof item === 'string') continue;
    items.push({ line, ...item });
    lineOf.set(plainName(item.name), line);
  }
  return { items, faults, reading: readingOf(items, currency) };
}

const linesOf = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);

/** Returns a text without the lines of faults. */
export const withoutFaults = (text: string, faults: readonly PastedFault[]): string =>
  linesOf(text)
    .filter((_, index) => !faults.some(({ line }) => line === index + 1))
    .join('\n');

interface HowToRead {
  readonly currency: string;
  readonly notation: Notation;
  /** Whether commas separate the cells of other lines. */
  readonly commas: boolean;
}

/** Reads the price of a line in its parts; a sentence when it is no item. */
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

/** A comma that may be a decimal sign is one where no comma separates cells. */
const isReadable = ({ certain, byComma }: ListedParts, commas: boolean): boolean => certain || (byComma !== undefined && !commas);

/** Returns a name without characters that no one sees, in one form of its accents. */
const tidyName = (name: string): string => withoutInvisible(name).normalize('NFC').replace(/\s+/gu, ' ').trim();

/** Says how prices were read that are not written as Corner writes them. */
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

/** Whether a price is written with digits and at most a point, as Corner writes it. */
export const isPlain = (written: string, minor: number, currency: string): boolean =>
  /^\D{0,3}\d+(\.\d+)?\D{0,3}$/.test(written.trim()) && Number(written.replace(/[^\d.]/g, '')) === Number(plainPrice(minor, currency));

const nameOfSign = (sign: string): string => ({ '.': 'a point', ',': 'a comma', "'": 'an apostrophe' })[sign] ?? 'a space';

/** `lineOf` has the line of each name before it. */
function faultOf(name: string, lineOf: ReadonlyMap<string, number>): string | null {
  if (isBlank(name)) return 'The name is missing.';
  if (name.length > longestName) return `The name is longer than ${longestName} characters.`;
  const twin = lineOf.get(plainName(name));
  if (twin !== undefined) return `“${name}” is on line ${twin} already.`;
  return lineOf.size >= mostItems ? `A menu has at most ${mostItems} items.` : null;
}

/** The parts of a line without a heading. `byComma`: a comma with no space after it stands before the price. `lead`: what stands between the two. */
type ListedParts = PartsOfLine & { readonly byComma?: boolean; readonly lead?: string };

const bullet = /^(?:[-–—•*·]|\d{1,3}[.)])\s+/;
const codes = Object.keys(currencies).join('|');
const sign = String.raw`(?:${codes}|\p{Sc}|R\$|kr\.?|zł|Kč|Ft|Fr\.|Rs\.?|円|元|원)`;
/** A name, what stands between it and the price, and the price with its sign or code on either side. */
const nameAndPrice = new RegExp(
  String.raw`^(.*?)[\s.]*([\s:;,|=…/–—-]|\.{2})([\s.]*)((?:${sign}[ \u00a0]?)?\d[\d.,'\u00a0]*?(?:[.,][-–—]{1,2})?[ \u00a0]?${sign}?)$`,
  'u',
);

/** Splits a line without a heading into its name and its price; a sentence when it has none. */
function partsOf(line: string): ListedParts | string {
  const text = line.replace(bullet, '');
  const plain = withPlainDigits(text);
  for (const separator of ['\t', ';'] as const) {
    if (!plain.includes(separator)) continue;
    const cells = cellsOf(text, separator);
    if (typeof cells === 'string') return byHeadings({ separator, columns: ['name', 'price'] }, text);
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
    if (filled.length > 2)
      return `There are ${filled.length} cells, and no heading such as name${separator === ';' ? ';' : ','}price names them.`;
    if (filled.length === 2 && /\d/.test(withPlainDigits(filled[1] as string)))
      return { name: filled[0] as string, price: filled[1] as string, certain: true };
  }
  const quoted = text.includes('"') ? cellsOf(text, ',') : 'none';
  if (typeof quoted === 'object' && quoted.length === 2 && /\d/.test(quoted[1] ?? ''))
    return { name: quoted[0] as string, price: quoted[1] as string, certain: true, byComma: /,\S*$/.test(text) };
  return splitPasted(text, plain);
}

function splitPasted(text: string, plain: string): ListedParts | string {
  const [, named = '', separator = '', spaces = '', price = ''] = nameAndPrice.exec(plain) ?? [];
  if (price === '') return 'There is no price at its end, such as 3.20.';
  const lead = plain.slice(0, plain.length - price.length);
  if (spaces === '' && /[\s,;][-–—]$/.test(lead)) return 'A price cannot be below zero.';
  const name = text.slice(0, named.length).replace(/[\s:;,|=.…–—-]+$/, '');
  if (/^[\d\s.,]*$/.test(withPlainDigits(name))) return 'The name is missing.';
  const byComma = separator === ',' && spaces === '';
  if (byComma && price.includes(',')) return 'There are more cells than a name and a price. Put a price with a comma in quotation marks.';
  // A space in a price differs from the one before it only where it is one that does not break.
  if (/\s\d{1,3}$/.test(name) && separator === ' ' && /^\d{3}(?!\d)/.test(price))
    return 'It is not certain where the price begins. Write it without a space in it, such as 1250.';
  const certain = !price.includes(',') || !mayBeDecimal(plain);
  return { name: name.replace(/^"(.*)"$/, '$1'), lead: text.slice(name.length, lead.length), price, certain, byComma };
}

/** A text in lower case, without the accents of Latin letters. Marks of other scripts are a part of their letters. */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

/** A name without case, accents and signs: two items with the same one are one. */
export const plainName = (name: string): string => withoutAccents(name).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '') || name.trim();

const longestId = 60;

/**
 * Returns an id for an item with the name, of its words: `flat-white`. One that is taken gets a number. The same menu always gets the same ids,
 * so that pasting it twice makes it once.
 */
export function idFor(name: string, taken: readonly string[]): string {
  const words = withoutAccents(name).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const base = words.replace(/^-/, '').slice(0, longestId).replace(/-$/, '') || 'item';
  const isTaken = (id: string) => taken.some((other) => other.toLowerCase() === id);
  let id = base;
  for (let number = 2; isTaken(id); number++) id = `${base}-${number}`;
  return id;
}

/** An item as changeMenu takes it. */
export type MenuEntry = PastedColumns & { readonly id: string; readonly name: string; readonly price_pence: number };

/** Gives each pasted item the id of the item with its name, or a new one. `known` are the items of the menu. */
export function menuEntriesOf(
  pasted: readonly PastedItem[],
  known: readonly { readonly id: string; readonly name: string }[] = [],
): MenuEntry[] {
  const taken = known.map(({ id }) => id);
  const idOf = new Map(known.map(({ id, name }) => [plainName(name), id]));
  return pasted.map(({ line: _, written: __, ...item }) => {
    const id = idOf.get(plainName(item.name)) ?? idFor(item.name, taken);
    taken.push(id);
    return { id, ...item };
  });
}
