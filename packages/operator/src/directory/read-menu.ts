import { createHash } from 'node:crypto';
import { rulesOfCurrency } from '@corner/contracts';
import { DirectoryFaults } from './parse-directory.ts';
import { type CsvLine, readCsv } from './read-csv.ts';

export interface ListedItem {
  readonly id: string;
  readonly name: string;
  /** Minor units. */
  readonly price_pence: number;
}

/**
 * Reads items from lines such as `Flat white,3.20` or, pasted, `Flat white 3.20`; a first line `name,price` is skipped. Prices are in the
 * major unit of `currency`, ids are made of names. Throws {@link DirectoryFaults} that name each wrong line.
 */
export function readMenu(text: string, currency: string): ListedItem[] {
  const faults: string[] = [];
  const items: ListedItem[] = [];
  const lineOf = new Map<string, number>();
  const source = text.replace(/\r\n?/g, '\n').split('\n');
  for (const row of readCsv(text).filter(({ cells }, index) => index > 0 || cells[1]?.toLowerCase() !== 'price')) {
    const found = itemOf(row, source[row.line - 1] ?? '', currency);
    if (typeof found === 'string') {
      faults.push(`line ${row.line}: ${found}`);
      continue;
    }
    const before = lineOf.get(found.id);
    if (before !== undefined) faults.push(`line ${row.line}: ${found.name} is on line ${before} already`);
    lineOf.set(found.id, row.line);
    items.push(found);
  }
  if (items.length === 0 && faults.length === 0) faults.push('the file has no line with a name and a price');
  if (faults.length > 0) throw new DirectoryFaults(faults);
  return items;
}

/** Returns the item of a line, or what is wrong with it. */
function itemOf({ cells }: CsvLine, source: string, currency: string): ListedItem | string {
  // `Flat white 3,20` would be read as the item `Flat white 3` at 20.00.
  if (/^[^",]*\s\D?\d+,\d{1,2}\D?\s*$/.test(source)) return `write the price with a point: ${source.trim().replace(',', '.')}`;
  const [name, price, ...more] = cells.length === 1 ? partsOfPasted(cells[0] ?? '') : cells;
  if (!name || !price || more.some((cell) => cell !== '')) return 'is not a name and a price, such as Flat white,3.20';
  if (name.length > 120) return 'the name is longer than 120 characters';
  const pence = minorUnitsOf(price, currency);
  return typeof pence === 'string' ? pence : { id: itemIdOf(name), name, price_pence: pence };
}

/** Name and price of a pasted line. Dots may lead from one to the other. */
const partsOfPasted = (text: string): (string | undefined)[] => /^(.*?[^\s.…])[\s.…]*\s(\S+)$/.exec(text)?.slice(1) ?? [text];

/** Returns an amount such as `3.20` or `£3.20` in minor units, or what is wrong with it. */
function minorUnitsOf(text: string, currency: string): number | string {
  const { decimals, step, maximum } = rulesOfCurrency(currency);
  const [, whole, fraction = ''] = /^\p{Sc}?\s?(\d{1,10})(?:\.(\d+))?\s?\p{Sc}?$/u.exec(text) ?? [];
  if (whole === undefined) return `${text} is not a price, such as ${(3.2).toFixed(decimals)}`;
  if (fraction.length > decimals) return `${text} has more decimals than ${currency}, which has ${decimals}`;
  const minor = Number(whole + fraction.padEnd(decimals, '0'));
  if (minor > maximum) return `${text} is more than can be charged in ${currency}`;
  return minor % step === 0 ? minor : `${text} cannot be charged: prices in ${currency} are multiples of ${step / 10 ** decimals}`;
}

/** Makes an id of a name: `Crème brûlée` is `creme-brulee`. What has no Latin letters gets a hash, so that names do not meet in one id. */
export function itemIdOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const readable = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 48);
  const isWhole = !/[^\P{L}a-z]/u.test(plain) && plain.length <= 48 && readable !== '';
  const hash = isWhole ? [] : [createHash('sha256').update(plain).digest('hex').slice(0, 8)];
  return [...(readable === '' ? [] : [readable]), ...hash].join('-');
}
