import { parsePrice } from './amounts.ts';
import { byHeadings, cellsOf, headingsOf, type PastedColumns } from './pasted-columns.ts';

/** An item of a menu that a person pasted. A field that is absent was not named. */
export interface PastedItem extends PastedColumns {
  readonly line: number;
  readonly name: string;
  /** Minor units of the store's currency. */
  readonly price_pence: number;
}

/** Why a line is no item, as a sentence. */
export interface PastedFault {
  readonly line: number;
  readonly text: string;
}

export interface PastedMenu {
  readonly items: readonly PastedItem[];
  readonly faults: readonly PastedFault[];
}

const mostItems = 500;
const longestName = 120;

/**
 * Reads a menu that a person pasted: a line for each item, `Flat white 3.20`, or a table with a heading, `name,price,vat,stock,minutes`, separated
 * by tabs, semicolons or commas. Empty lines count, and are nothing. A line that is no item is a fault; the others are read all the same.
 */
export function parsePastedMenu(text: string, currency: string): PastedMenu {
  const lines = text.split(/\r\n|\r|\n/).flatMap((each, index) => (each.trim() === '' ? [] : [{ line: index + 1, text: each.trim() }]));
  const table = headingsOf(lines[0]?.text ?? '');
  const items: PastedItem[] = [];
  const faults: PastedFault[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, text: each } of table ? lines.slice(1) : lines) {
    const read = table ? byHeadings(table, each, (price) => priceOf(price, currency)) : parseLine(each, currency);
    const fault = typeof read === 'string' ? read : faultOf(read.name, lineOf);
    if (fault !== null) faults.push({ line, text: fault });
    if (fault !== null || typeof read === 'string') continue;
    items.push({ line, ...read });
    lineOf.set(plainName(read.name), line);
  }
  return { items, faults };
}

/** Returns a text without the lines of faults. */
export const withoutFaults = (text: string, faults: readonly PastedFault[]): string =>
  text
    .split(/\r\n|\r|\n/)
    .filter((_, index) => !faults.some(({ line }) => line === index + 1))
    .join('\n');

/** `lineOf` has the line of each name before it. */
function faultOf(name: string, lineOf: ReadonlyMap<string, number>): string | null {
  if (name === '') return 'The name is missing.';
  if (name.length > longestName) return `The name is longer than ${longestName} characters.`;
  const twin = lineOf.get(plainName(name));
  if (twin !== undefined) return `“${name}” is on line ${twin} already.`;
  return lineOf.size >= mostItems ? `A menu has at most ${mostItems} items.` : null;
}

const bullet = /^(?:[-–—•*·]|\d{1,3}[.)])\s+/;
/** A name, what stands between it and the price, and the price with its sign or code on either side. */
const nameAndPrice = /^(.*?)[\s.]*(?:[\s:;,|=…–—-]|\.{2})[\s.]*((?:[A-Z]{3}|\p{Sc})?\s?\d[\d.,']*\s?(?:[A-Z]{3}|\p{Sc})?)$/u;

function parseLine(text: string, currency: string): { readonly name: string; readonly price_pence: number } | string {
  const [, named = '', typed = ''] = nameAndPrice.exec(text.replace(bullet, '')) ?? [];
  if (typed === '') return 'There is no price at its end, such as 3.20.';
  const price_pence = priceOf(typed, currency);
  if (typeof price_pence === 'string') return price_pence;
  const [first = '', ...rest] = cellsOf(named.replace(/[\s:;,|=.…–—-]+$/, ''), ',');
  const name = rest.length === 0 ? first : named;
  if (/^[\d\s.,]*$/.test(name)) return 'The name is missing.';
  return /\d[.,]\d\d$/.test(name) ? 'There are two prices. Write a line for each size.' : { name, price_pence };
}

/** Reads a price with or without the sign of its currency: `£3.20`, `3,20 EUR`, `1,250.00`. Returns a sentence when it is none. */
function priceOf(typed: string, currency: string): number | string {
  const sign = /[A-Z]{3}|\p{Sc}/u.exec(typed)?.[0];
  if (sign !== undefined && sign !== currency && !signsOf(currency).includes(sign)) return `The prices of the store are in ${currency}.`;
  const digits = typed.replace(sign ?? '', '').trim();
  const plain = /^\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*(?!\1)[.,]\d+$/.test(digits) ? digits.replace(/[.,'](?=\d{3})/g, '') : digits;
  return parsePrice(plain, currency) ?? `“${digits}” is not a price in ${currency}.`;
}

const signsOf = (currency: string): string[] =>
  (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .flatMap(({ type, value }) => (type === 'currency' ? [value] : [])),
  );

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
export function entriesOf(
  pasted: readonly PastedItem[],
  known: readonly { readonly id: string; readonly name: string }[] = [],
): MenuEntry[] {
  const taken = known.map(({ id }) => id);
  const idOf = new Map(known.map(({ id, name }) => [plainName(name), id]));
  return pasted.map(({ line: _, ...item }) => {
    const id = idOf.get(plainName(item.name)) ?? idFor(item.name, taken);
    taken.push(id);
    return { id, ...item };
  });
}
